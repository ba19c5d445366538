const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Begins with the suite that waits longest. Where no run before this one has told how long each takes, Jest begins with
 * the largest files, and would wait for this one alone at the end.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const isLongest = ({ path }) => path.endsWith('time-outs.test.ts');
    return super.sort(tests).toSorted((a, b) => Number(isLongest(b)) - Number(isLongest(a)));
  }
};
