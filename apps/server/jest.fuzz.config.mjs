// `npm run fuzz`: more requests than `npm test` makes, and other ones each time.
import usual from './jest.config.mjs';

process.env.FUZZ_RUNS ??= '2000';

export default { ...usual, testMatch: ['<rootDir>/test/fuzz.test.ts'] };
