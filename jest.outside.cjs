const { readFileSync } = require('node:fs');

/**
 * Has a package, or the build of one of the kit, loaded by Node.js itself: once for all suites of a worker, and not anew for
 * each. In a context of Jest's own, it is `process` outside of it that still has Node's own loader.
 */
const load = `const load = globalThis.outside ??
  require('node:vm').runInThisContext('process').getBuiltinModule('node:module').createRequire(__filename);`;

/** As in the service's bundle: see packages/kit/server/src/bundle.ts. */
const forgetSchemas = `for (const name of ['openapi.v3', 'openapi.v3_1.modified'])
  load.cache[require.resolve('./framework/' + name + '.schema.json')] ??= { loaded: true, exports: {} };`;

const source = readFileSync(__filename, 'utf8');

module.exports = {
  // Jest keeps what comes of a file. It depends on the code here, and not on that of the file.
  getCacheKey: (/** @type {string} */ _source, /** @type {string} */ file) => `${source}${file}`,
  /** @type {import('@jest/transform').SyncTransformer['process']} */
  process: (_source, file) => ({
    code: `${load}
      ${/express-openapi-validator.dist.index\.js$/.test(file) ? forgetSchemas : ''}
      module.exports = load(__filename);`,
  }),
};
