import { availableParallelism } from 'node:os';
import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  testMatch: ['<rootDir>/test/*.test.ts'],
  // Most suites wait most of the time: for time-outs, for processes, for databases. As a number, because Jest takes
  // "150%" for 150 workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};
