// `npm run test:full` of a package: what starts programs, such as the command, nginx and a browser, what breaks PostgreSQL
// and Redis, and trials by large numbers. One at a time, but for those of whole repositories, which wait for npm.
import { preset } from './jest.config.mjs';

export default {
  ...preset,
  // Turbo never reuses their result.
  setupFilesAfterEnv: [],
  testPathIgnorePatterns: ['/node_modules/'],
  testMatch: ['<rootDir>/test/full/*.test.ts'],
  maxWorkers: 1,
};
