import { createRequire } from 'node:module';

/*
 * express-openapi-validator compiles OpenAPI's own schemas for each middleware, even if it must not validate the
 * document. It finds empty ones. bundle.ts and jest.outside.cjs do the same for bundles and tests.
 */
const { cache, resolve } = createRequire(import.meta.url);
for (const name of ['openapi.v3', 'openapi.v3_1.modified']) {
  const file = resolve(`express-openapi-validator/dist/framework/${name}.schema.json`);
  cache[file] ??= { id: file, filename: file, loaded: true, exports: {} } as NodeJS.Module;
}
