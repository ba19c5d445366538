const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that take long for the size of their files, the longest last. */
const LONG = [
  'long-list',
  'postgres',
  'store-files',
  'kitchen-sink',
  'audit',
  'backup',
  'serve',
  'docs-page',
  'time-outs',
];
/** @param {{ path: string }} test */
const rank = (test) => LONG.indexOf(path.basename(test.path, '.test.ts'));

/**
 * Begins with those. Where no run before this one has told how long each takes, Jest begins with the largest files, and
 * would wait for these alone at the end.
 */
module.exports = class extends Sequencer {
  /** @override @param {Parameters<import('@jest/test-sequencer').default['sort']>[0]} tests */
  async sort(tests) {
    return (await super.sort(tests)).toSorted((a, b) => rank(b) - rank(a));
  }
};
