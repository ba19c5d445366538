import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  moduleNameMapper: {
    // It has an entry for `import` alone.
    '^json-schema-faker$': '<rootDir>/../../node_modules/json-schema-faker/dist/index.js',
  },
};
