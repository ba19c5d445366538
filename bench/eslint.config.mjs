import root from '../eslint.config.mjs';

export default [
  ...root,
  // Peers are written as their tutorials are.
  { ignores: ['**/*.mjs'] },
  {
    languageOptions: { parserOptions: { tsconfigRootDir: import.meta.dirname } },
    rules: {
      // The bench has no settings in the environment; it passes PATH on.
      'no-restricted-properties': 'off',
      // openapi-fetch is one of its peers.
      'no-restricted-imports': 'off',
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: ['test'] }],
    },
  },
];
