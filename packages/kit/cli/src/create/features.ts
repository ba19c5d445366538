import { renderTemplates } from '../generate/templates.ts';
import type { Operation } from '@contract-kit/core/model';
import type { SourceDocument } from '@contract-kit/core/openapi';

export interface FeatureOf {
  /** The name of its folder: only `[a-z0-9-]`. */
  readonly folder: string;
  /** Its name in code. */
  readonly name: string;
  readonly operationIds: readonly string[];
}

/** Names of devices, which cannot be folders on Windows. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** Segments that name no area, such as those of `/api/v1`. */
const GENERAL = /^(api|rest|v\d+([._]\w+)*)$/i;

/** A feature for each first tag, otherwise for each first path segment after those. Equal names are one feature. */
export function featuresOf(contract: SourceDocument): FeatureOf[] {
  const folders = new Map<string, Operation[]>();
  for (const operation of contract.model.operations) {
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
  const [tag = areaOf(path)] = (definition.tags ?? []) as string[];
  const slug = tag
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return slug === '' || DEVICE.test(slug) ? `${slug}-api`.replace(/^-/, '') : slug;
}

function areaOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const isParameter = (segment: string) => segment.includes('{');
  const fixed = segments.slice(0, [...segments, '{}'].findIndex(isParameter));
  const after = fixed.slice(fixed.findLastIndex((segment) => GENERAL.test(segment)) + 1);
  return after[0] ?? fixed[0] ?? segments.find((segment) => !isParameter(segment)) ?? '';
}

/** The arguments of `Pick` for the operations of a feature, in lines if they are long. */
function handledOf(ids: readonly string[]): string {
  const line = ids.join(' | ');
  return line.length <= 60
    ? `Operations, ${line}`
    : `\n  Operations,\n${ids.map((id) => `  | ${id}\n`).join('')}`;
}

/** The sources of the features, by their names from the root. */
export async function featureSources(features: readonly FeatureOf[], service: string) {
  const sources = features.map(({ folder, operationIds }) =>
    renderTemplates('feature', {
      name: service,
      folder,
      handled: handledOf(operationIds.map((id) => `'${id}'`)),
      handlers: operationIds.map((id) => `    ${id}: notYet,\n`).join(''),
    }),
  );
  return Object.assign({}, ...(await Promise.all(sources))) as Record<string, string>;
}
