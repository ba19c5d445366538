// `npm run test:full`: what takes minutes of a processor, and trials by numbers at their full size. One at a time.
import usual from './jest.config.mjs';

process.env.TEST_SCALE = 'full';

export default {
  ...usual,
  testPathIgnorePatterns: ['/node_modules/'],
  testMatch: [
    '<rootDir>/test/full/*.test.ts',
    '<rootDir>/test/{backup,import,instances,killed,migrate-data,remembered-list,shutdown}.test.ts',
  ],
  maxWorkers: 1,
};
