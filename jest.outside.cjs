/**
 * Has a package loaded by Node.js itself, once for all suites of a worker and not anew for each: it is `process` outside
 * of Jest's context that still has Node's own loader.
 */
module.exports = {
  process: () => ({
    code: `module.exports = require('node:vm').runInThisContext('process')
      .getBuiltinModule('node:module').createRequire(__filename)(__filename);`,
  }),
};
