import { availableParallelism } from 'node:os';
import preset from '../../jest.preset.mjs';

// Express tells its own promises from those of Jest's context, and warns of them.
process.env.NO_DEPRECATION = 'router';

export default {
  ...preset,
  testMatch: ['<rootDir>/test/*.test.ts'],
  testSequencer: '<rootDir>/jest.sequencer.cjs',
  // Most suites wait most of the time: for time-outs, for processes, for databases. As a number, because Jest takes
  // "150%" for 150 workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};
