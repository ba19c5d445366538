import preset from '../../jest.preset.mjs';

// Express tells its own promises from those of Jest's context, and warns of them.
process.env.NO_DEPRECATION = 'router';

export default {
  ...preset,
  // The client by its sources: it may not have been built.
  moduleNameMapper: {
    ...preset.moduleNameMapper,
    '^@petstore/client$': '<rootDir>/../../packages/client/src/index.ts',
    '^@petstore/client/(fetch|stream|testing)$': '<rootDir>/../../packages/client/src/$1.ts',
  },
  testMatch: ['<rootDir>/test/*.test.ts'],
};
