import tseslint from 'typescript-eslint';
import { errorListeners } from './scripts/error-listeners.mjs';

/** Every entry of the kit but those for services, their tests and generated code. */
const INNER =
  '^@contract-kit/(?!(client/(openapi-fetch|public|stream|testing)|testing/fuzzer)$)(core|client|mcp|server|testing)/';

const onlyTest = {
  selector: ':matches(MemberExpression[property.name="only"], Identifier[name=/^(fit|fdescribe)$/])',
  message: 'It would skip every other test.',
};

/** Keywords that lead from one schema to others. */
const COMPOSING = '/^([$]ref|allOf|oneOf|anyOf)$/';
const composing = {
  selector: [
    `:matches(Property, TSPropertySignature)[computed=false] > Identifier.key[name=${COMPOSING}]`,
    `MemberExpression[computed=false] > Identifier.property[name=${COMPOSING}]`,
    `Literal[value=${COMPOSING}]`,
  ].join(),
  message: 'References and compositions are followed in kit/core/src/model: ask the model.',
};

const moduleState = [
  '[kind="let"]',
  ' > VariableDeclarator > NewExpression[callee.name!=/^Weak/][arguments.length=0]',
].map((state) => ({
  selector: `:matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration${state}`,
  message: 'State of a module is shared by all services of a process: make it where it is used.',
}));

export default tseslint.config(
  {
    // The contracts of the kitchen sink are not generated from: tests compile these.
    ignores: [
      '**/dist/**',
      '**/generated/**',
      '**/coverage/**',
      'packages/client/src/**',
      'bench/**',
      '**/test/kitchen-sink/{rows,unusual,newest,bodies}.ts',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-empty-object-type': 'off',
      // Some parameters are there for their position: Express tells an error handler by its having four.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Declare a setting in settings.ts: docs/guide/settings.md.',
        },
      ],
      'no-restricted-syntax': ['error', onlyTest],
      'no-restricted-imports': [
        'error',
        { name: 'openapi-typescript', message: 'Only schema-types.ts may know it: it is frozen upstream.' },
        { name: 'openapi-fetch', message: 'Only openapi-fetch.ts may know it: it is frozen upstream.' },
      ],
    },
  },
  {
    // The generators underneath are frozen: each is behind one file, so that it can be replaced.
    files: ['packages/kit/cli/src/generate/schema-types.ts', 'packages/kit/client/src/openapi-fetch.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    // An example is written as its users write it.
    files: ['examples/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: INNER, message: 'Adopters do not import it.' }] },
      ],
      // The runner of Node.js awaits them.
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['describe', 'test'] }] },
      ],
    },
  },
  {
    // So are the tests of a service.
    files: ['packages/{client,contract,mcp}/test/**', 'apps/*/test/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: INNER, message: 'What tests it belongs to the kit.' }] },
      ],
    },
  },
  {
    // Only the model and the validation know how a schema leads to others.
    files: ['packages/kit/{cli,client,core,mcp,server,testing}/src/**'],
    rules: { 'no-restricted-syntax': ['error', composing] },
  },
  {
    files: ['{apps,packages,packages/kit}/*/{bin,src}/**', 'scripts/**'],
    ignores: ['packages/test-support/**'],
    plugins: { service: { rules: { 'error-listeners': errorListeners } } },
    rules: { 'service/error-listeners': 'error' },
  },
  {
    // Several services with several contracts run in one process.
    files: ['packages/kit/{core,server,mcp}/src/**'],
    rules: { 'no-restricted-syntax': ['error', ...moduleState, composing] },
  },
  {
    files: ['packages/kit/core/src/model/**', 'packages/kit/server/src/{testing,validation}/**'],
    rules: { 'no-restricted-syntax': ['error', ...moduleState] },
  },
  {
    // These run in the browser: no types, and nothing but the platform and what the build bundles.
    files: ['**/browser/**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      parserOptions: { projectService: false, program: null },
      globals: Object.fromEntries(
        [
          ...['document', 'localStorage', 'navigator', 'location', 'scrollBy', 'getSelection'],
          ...[
            'addEventListener',
            'requestAnimationFrame',
            'setTimeout',
            'performance',
            'AbortController',
            'TextDecoderStream',
            'fetch',
            'Headers',
          ],
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: {
      ...{ 'no-undef': 'error', 'no-unused-vars': 'error', eqeqeq: 'error', 'prefer-const': 'error' },
      'service/error-listeners': 'off',
    },
  },
  {
    files: [
      'packages/kit/server/src/config.ts',
      '**/test/**',
      '**/jest.*',
      '**/bin/**',
      '**/scripts/**',
      'packages/test-support/**',
      'packages/kit/cli/src/dev/**',
      'packages/kit/server/src/testing/**',
      'packages/kit/testing/src/**',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // The first handle the document as untyped data on purpose: check-contract.ts checks its shape. The others read JSON.
    files: [
      'packages/kit/cli/src/**',
      'packages/kit/core/src/openapi/**',
      'packages/kit/server/src/deploy/**',
      '**/*.{js,mjs,cjs}',
    ],
    ignores: ['packages/kit/cli/src/diff/**', 'packages/kit/core/src/openapi/read/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    // The types of nodes are an enum, whose values JavaScript has as texts.
    files: ['scripts/error-listeners.mjs'],
    rules: { '@typescript-eslint/no-unsafe-enum-comparison': 'off' },
  },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    // The one name that untyped data goes by there.
    files: ['packages/kit/core/src/openapi/problem.ts'],
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  },
);
