/**
 * Has a package loaded by Node.js itself, once for all suites of a worker and not anew for each: it is `process` outside
 * of Jest's context that still has Node's own loader.
 */
const load = `const { createRequire } = require('node:vm').runInThisContext('process').getBuiltinModule('node:module');
  const load = createRequire(__filename);`;

const emptied = require('./packages/kit/server/src/validation/openapi-validator/emptied.json');

/** As outside of tests: see empty-schemas.ts next to that list. */
const forgetSchemas = `for (const name of ${JSON.stringify(emptied)})
  load.cache[load.resolve('./framework/' + name + '.schema.json')] ??= { loaded: true, exports: {} };`;

module.exports = {
  /** @type {import('@jest/transform').SyncTransformer['process']} */
  process: (_source, file) => ({
    code: `${load}
      ${/express-openapi-validator.dist.index\.js$/.test(file) ? forgetSchemas : ''}
      module.exports = load(__filename);`,
  }),
};
