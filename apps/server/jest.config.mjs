import { availableParallelism } from 'node:os';
import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  // The client's fake is held to the same promises, and is not built yet.
  moduleNameMapper: { '^@petstore/client/testing$': '<rootDir>/../../packages/client/src/testing.ts' },
  testMatch: ['<rootDir>/test/*.test.ts'],
  // Most suites wait most of the time: for time-outs, for processes, for databases. As a number, because Jest takes
  // "150%" for 150 workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};
