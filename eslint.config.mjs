import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    // The kitchen-sink contract is not the one that is generated from: a test compiles these.
    ignores: [
      '**/dist/**',
      '**/generated/**',
      'packages/client/src/**',
      '**/*.mjs',
      '**/*.cjs',
      '**/bin/**',
      'bench/**',
      '**/test/kitchen-sink/*-types.ts',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    // One program for all: each package by itself would have the compiler read most of it again.
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-empty-object-type': 'off',
      // Some parameters are there for their position: Express tells an error handler by its having four.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in config.ts alone.' },
      ],
      'no-restricted-imports': [
        'error',
        { name: 'openapi-typescript', message: 'Only schema-types.ts may know it: docs/decisions/0014.' },
        { name: 'openapi-fetch', message: 'Only two files may know it: docs/decisions/0014.' },
      ],
    },
  },
  {
    // The generators underneath are frozen: each is behind one file, so that it can be replaced.
    files: [
      'packages/kit/tools/src/generate/schema-types.ts',
      'packages/kit/client/src/{openapi-fetch,query-string}.ts',
    ],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    // These run in the browser as they are: no types, and nothing but the platform.
    files: ['**/browser/**/*.js'],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    files: ['**/browser/**/*.js'],
    languageOptions: {
      parserOptions: { projectService: false, program: null },
      globals: Object.fromEntries(
        [
          ...['document', 'localStorage', 'navigator', 'scrollBy', 'getSelection'],
          ...['addEventListener', 'requestAnimationFrame', 'setTimeout', 'fetch', 'Headers', 'btoa'],
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: { 'no-undef': 'error', 'no-unused-vars': 'error', eqeqeq: 'error', 'prefer-const': 'error' },
  },
  {
    files: ['**/config.ts', '**/test/**', '**/*.test.ts', 'scripts/**', 'packages/kit/local-stack/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // What reads the document handles it as untyped data on purpose: check-contract.ts checks its shape.
    files: ['packages/kit/{tools,check}/src/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    // The one name that untyped data goes by there.
    files: ['packages/kit/tools/src/problem.ts'],
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  },
);
