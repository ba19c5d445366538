// `npm run test:full` of a package: what takes minutes of a processor, and trials by numbers at their full size. One at a
// time, but for those of whole repositories, which wait for npm.
import { preset } from './jest.config.mjs';

process.env.TEST_SCALE = 'full';

export default {
  ...preset,
  // Turbo never reuses their result.
  setupFilesAfterEnv: [],
  testPathIgnorePatterns: ['/node_modules/'],
  testMatch: [
    '<rootDir>/test/full/*.test.ts',
    '<rootDir>/test/{backup,cached-list,import,instances,killed,migrate-data,order-store,shutdown}.test.ts',
  ],
  maxWorkers: 1,
};
