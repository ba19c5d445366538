/** The jest settings every workspace shares: TypeScript through swc, workspace packages read from their sources. */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@petstore/source', 'require', 'node', 'default'] },
  // No test asserts how long anything takes; a busy machine may take its time.
  testTimeout: 300_000,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '\\.[cm]?[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
};
