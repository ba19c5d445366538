import { operationsOf, type Operation } from '../operations.ts';
import type { SourceDocument } from '../source-document.ts';

export interface FeatureOf {
  /** The name of its folder: only `[a-z0-9-]`. */
  readonly folder: string;
  /** Its name in code. */
  readonly name: string;
  readonly operationIds: readonly string[];
}

/** Names of devices, which cannot be folders on Windows. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** A feature for each first tag, otherwise for each first path segment. Equal names are one feature. */
export function featuresOf(contract: SourceDocument): FeatureOf[] {
  const folders = new Map<string, Operation[]>();
  for (const operation of operationsOf(contract)) {
    const folder = folderOf(operation);
    folders.set(folder, [...(folders.get(folder) ?? []), operation]);
  }
  return [...folders].map(([folder, of]) => ({
    folder,
    name: folder
      .replace(/^\d/, '_$&')
      .replace(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase()),
    operationIds: of.map(({ id }) => id),
  }));
}

function folderOf({ definition, path }: Operation): string {
  const [tag = path.split('/').find((part) => part !== '' && !part.includes('{')) ?? ''] = (definition.tags ??
    []) as string[];
  const slug = tag
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return slug === '' || DEVICE.test(slug) ? `${slug}-api`.replace(/^-/, '') : slug;
}

/** The sources of the features, and the line that wires each, by their names from the root. */
export function featureSources(contract: SourceDocument, service: string): Record<string, string> {
  const features = featuresOf(contract);
  const lines = features.map(
    ({ folder, name }) => `export { feature as ${name} } from './${folder}/feature.ts';\n`,
  );
  return {
    'apps/server/src/features.ts': `/* The areas of the API, one line each. */\n${lines.join('')}`,
    ...Object.assign({}, ...features.map((feature) => sourcesOf(feature, service))),
  };
}

function sourcesOf({ folder, operationIds }: FeatureOf, service: string): Record<string, string> {
  const ids = operationIds.map((id) => JSON.stringify(id));
  return {
    [`apps/server/src/${folder}/feature.ts`]: `import type { Feature } from '@kit/server';
import { handlers } from './handlers.ts';
import { createStore, type Store } from './store.ts';

export const feature: Feature<Store, ReturnType<typeof handlers>> = {
  tables: [],
  open: createStore,
  handlers,
};
`,
    [`apps/server/src/${folder}/store.ts`]: `import type { Database } from '@kit/server';

/** The data of this feature. Every method throws StoreUnavailable while the database fails. */
export function createStore(_database: Database) {
  return {};
}

export type Store = ReturnType<typeof createStore>;
`,
    [`apps/server/src/${folder}/handlers.ts`]: `import { notYet, type Handlers, type Services } from '@kit/server';
import type { Operations } from '@${service}/contract';
import type { Store } from './store.ts';

type Handled = Pick<Operations, ${ids.join(' | ')}>;

export function handlers(_services: Services<Store>): Handlers<Handled> {
  return {
${ids.map((id) => `    ${id}: notYet,`).join('\n')}
  };
}
`,
  };
}
