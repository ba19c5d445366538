// Beside what takes minutes, trials by numbers at their full size.
import full from '../../jest.full.config.mjs';

process.env.TEST_SCALE = 'full';

export default {
  ...full,
  testMatch: [
    ...full.testMatch,
    '<rootDir>/test/{backup,import,instances,killed,migrate-data,remembered-list,shutdown}.test.ts',
  ],
};
