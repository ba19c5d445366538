// `npm run test:long` of a package: what takes minutes by its nature. It runs before a release, not for every change.
import full from './jest.full.config.mjs';

export default { ...full, testMatch: ['<rootDir>/test/long/*.test.ts'] };
