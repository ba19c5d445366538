// Bundles the service, as `npm run build` does with a user's, and once more without express-openapi-validator, and writes its
// contracts: `build.ts [NUMBER OF OPERATIONS …]`.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { bundleOptions } from '@contract-kit/server/bundle';
import { build as bundle } from 'esbuild';

interface Document {
  readonly security: unknown;
  readonly 'x-rate-limit-plans': unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly components: { readonly securitySchemes: unknown };
}

const root = path.resolve(import.meta.dirname, '../..');
const dist = path.join(root, 'bench/dist');

await build('catalogue');
await build('unvalidated', {
  'express-openapi-validator': path.join(import.meta.dirname, 'no-validator.ts'),
});

const text = readFileSync(path.join(import.meta.dirname, 'openapi.yaml'), 'utf8');
const keyed = parseContract(text).document as unknown as Document;
const open = openToEveryone(keyed);
write('keyed', keyed);
write('open', open);
for (const size of process.argv.slice(2)) write(`operations-${size}`, withOperations(open, Number(size)));

/** Bundles the service into a folder. `alias` replaces packages. */
async function build(folder: string, alias: Record<string, string> = {}): Promise<void> {
  const outdir = path.join(dist, folder);
  await bundle({
    ...bundleOptions((file) => path.relative(outdir, path.dirname(file))),
    absWorkingDir: root,
    entryPoints: { service: path.join(import.meta.dirname, 'service.ts') },
    outdir,
    alias,
  });
}

/** The document for the peers, and the contract's value for the service. */
function write(name: string, document: Document): void {
  const file = path.join(dist, 'catalogue', name);
  const text = JSON.stringify(document);
  writeFileSync(`${file}.document.json`, text);
  const names = { name: 'catalogue', keyPrefix: 'cat_', databaseFile: 'store.db' };
  writeFileSync(`${file}.value.json`, JSON.stringify(contractOf(parseContract(text), names)));
}

/** `document` without keys and plans. */
function openToEveryone(document: Document): Document {
  const components = { ...document.components, securitySchemes: {} };
  return { ...document, components, security: undefined, 'x-rate-limit-plans': undefined };
}

/** `count` copies of the operations of `document`, each on paths below its own. */
function withOperations(document: Document, count: number): Document {
  const copies: Record<string, Document['paths'][string]> = {};
  let made = 0;
  for (let copy = 0; made < count; copy += 1)
    for (const [place, item] of Object.entries(document.paths)) {
      const methods = Object.entries(item).slice(0, count - made);
      made += methods.length;
      const own = methods.map(([method, operation]) => {
        return [method, { ...operation, operationId: operation.operationId + String(copy) }] as const;
      });
      if (own.length > 0) copies[`/area-${copy}${place}`] = Object.fromEntries(own);
    }
  return { ...document, paths: copies };
}
