import { createRequire } from 'node:module';
import emptied from './emptied.json' with { type: 'json' };

/*
 * express-openapi-validator compiles OpenAPI's own schemas for each middleware, even if it must not validate the document.
 * It finds empty ones: here if Node.js loads it, by bundle.ts in bundles, and by jest.outside.cjs in tests.
 */
const { cache, resolve } = createRequire(import.meta.url);
for (const name of emptied) {
  const file = resolve(`express-openapi-validator/dist/framework/${name}.schema.json`);
  cache[file] ??= { id: file, filename: file, loaded: true, exports: {} } as NodeJS.Module;
}
