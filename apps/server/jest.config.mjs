import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  testMatch: ['<rootDir>/test/*.test.ts'],
  // Most suites wait most of the time: for time-outs, for processes, for databases.
  maxWorkers: '150%',
};
