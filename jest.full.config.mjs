// `npm run test:full` of a package: what takes minutes of a processor. One at a time.
import { preset } from './jest.config.mjs';

export default {
  ...preset,
  testPathIgnorePatterns: ['/node_modules/'],
  testMatch: ['<rootDir>/test/full/*.test.ts'],
  maxWorkers: 1,
};
