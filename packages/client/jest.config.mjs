import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  moduleNameMapper: {
    '^@petstore/client$': '<rootDir>/src/index.ts',
    '^@petstore/client/fetch$': '<rootDir>/src/fetch.ts',
    '^@petstore/client/stream$': '<rootDir>/src/stream.ts',
    '^@petstore/client/testing$': '<rootDir>/src/testing.ts',
  },
};
