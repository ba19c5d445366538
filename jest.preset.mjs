import { fileURLToPath } from 'node:url';

/** The jest settings every workspace shares: TypeScript through swc, workspace packages read from their sources. */
export default {
  globalSetup: fileURLToPath(import.meta.resolve('./jest.setup.mjs')),
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@petstore/source', 'require', 'node', 'default'] },
  // No test asserts how long anything takes; a busy machine may take its time.
  testTimeout: 300_000,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Jest runs tests as CommonJS, which marked is not published as.
  transformIgnorePatterns: ['/node_modules/(?!marked/)'],
  transform: {
    '\\.[cm]?[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
};
