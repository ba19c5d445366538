/**
 * Has a package loaded by Node.js itself, once for all suites of a worker and not anew for each: it is `process` outside
 * of Jest's context that still has Node's own loader.
 */
const load = `const { createRequire } = require('node:vm').runInThisContext('process').getBuiltinModule('node:module');
  const load = createRequire(__filename);`;

/** As in the service's bundle: see packages/kit/server/src/bundle.ts. */
const forgetSchemas = `for (const name of ['openapi.v3', 'openapi.v3_1.modified'])
  load.cache[load.resolve('./framework/' + name + '.schema.json')] ??= { loaded: true, exports: {} };`;

module.exports = {
  /** @type {import('@jest/transform').SyncTransformer['process']} */
  process: (_source, file) => ({
    code: `${load}
      ${/express-openapi-validator.dist.index\.js$/.test(file) ? forgetSchemas : ''}
      module.exports = load(__filename);`,
  }),
};
