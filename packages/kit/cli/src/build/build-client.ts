import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type Options } from 'tsup';
import { inFolder } from './in-folder.ts';
import { root } from '../workspace.ts';

const folder = path.join(root, 'packages/client');
/** The types of the kit while they are built in. */
const kitTypes = path.join(folder, 'dist/.kit');
const entries = ['index', 'stream', 'testing', 'fetch'];

/** Builds the client of `service` into `packages/client/dist`: ES modules, CommonJS and types, without dependencies. */
export async function buildClient(service: string): Promise<void> {
  const shared: Options = {
    ...inFolder(folder),
    entry: entries.map((name) => `src/${name}.ts`),
    target: 'es2022',
    splitting: false,
    sourcemap: true,
    external: [`@${service}/client`],
  };
  await build({ ...shared, format: ['esm'], clean: true });
  // For pages, whose size counts: without advice for developers.
  await build({
    ...shared,
    entry: { 'index.production': 'src/index.ts' },
    format: ['esm'],
    platform: 'browser',
  });
  // tsup leaves imports of node_modules as they are, and users of the client have no such package.
  const packages = {
    core: new URL('..', import.meta.resolve('@contract-kit/core')),
    client: new URL('.', import.meta.resolve('@contract-kit/client')),
  };
  for (const [name, dist] of Object.entries(packages))
    await cp(dist, `${kitTypes}/${name}`, {
      recursive: true,
      filter: (source) => !source.endsWith('.js'),
    });
  await build({ ...shared, format: ['cjs'], dts: { compilerOptions: { paths: typePaths(service) } } });
  await rm(kitTypes, { recursive: true });
  await completeTypes();
}

/** Types of the workspace and of the kit, on which the client does not depend, are built in by way of these paths. */
function typePaths(service: string): Record<string, string[]> {
  return {
    [`@${service}/contract`]: ['../contract/src/index.ts'],
    [`@${service}/contract/schema`]: ['../contract/src/generated/schema.ts'],
    '@contract-kit/core': [`${kitTypes}/core/contract/index.d.ts`],
    '@contract-kit/core/*': [`${kitTypes}/core/*/index.d.ts`],
    '@contract-kit/client': [`${kitTypes}/client/index.d.ts`],
    '@contract-kit/client/*': [`${kitTypes}/client/*.d.ts`],
    // Types of the entry next to it, which is not built yet.
    [`@${service}/client`]: ['./src/index.ts'],
  };
}

/** Writes the types that tsup leaves out. */
async function completeTypes(): Promise<void> {
  const dist = path.join(folder, 'dist');
  // The types for `import` are those for `require`: an ES module may import CommonJS, and not the other way round.
  for (const entry of entries)
    await writeFile(path.join(dist, `${entry}.d.ts`), `export * from './${entry}.cjs';\n`);

  // The types of openapi-fetch. Its manifest does not say where they are, so that tsup cannot bundle them.
  async function write(name: string, source: string) {
    const types = await readFile(source, 'utf8');
    await writeFile(path.join(dist, name), types.replace(/(from ['"])(openapi-[\w-]+)/g, '$1./$2.cjs'));
  }
  const kit = createRequire(import.meta.resolve('@contract-kit/client/package.json'));
  const ofFetch = createRequire(kit.resolve('openapi-fetch/package.json'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await write(`${name}.d.cts`, path.join(ofFetch.resolve(`${name}/package.json`), '../dist/index.d.cts'));
  await write('fetch.d.cts', path.join(dist, 'fetch.d.cts'));
}
