// Completes dist with the types that tsup leaves out.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { resolve } = createRequire(import.meta.url);
const dist = path.join(import.meta.dirname, 'dist');

// The types for `import` are those for `require`: an ES module may import CommonJS, and not the other way round.
for (const entry of ['index', 'stream', 'testing', 'fetch'])
  writeFileSync(path.join(dist, `${entry}.d.ts`), `export * from './${entry}.cjs';\n`);

// The types of openapi-fetch. Its manifest does not say where they are, so that tsup cannot bundle them.
/** @type {(name: string, source: string) => void} */
function write(name, source) {
  const types = readFileSync(source, 'utf8').replace(/(from ['"])(openapi-[\w-]+)/g, '$1./$2.cjs');
  writeFileSync(path.join(dist, name), types);
}
for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
  write(`${name}.d.cts`, path.join(resolve(`${name}/package.json`), '../dist/index.d.cts'));
write('fetch.d.cts', path.join(dist, 'fetch.d.cts'));
