import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

const root = import.meta.dirname;
const { name: service } = JSON.parse(readFileSync(path.join(root, 'service.json'), 'utf8'));

// Express tells its own promises from those of Jest's context, and warns of them.
process.env.NO_DEPRECATION = 'router';

/** The jest settings every workspace shares: TypeScript through swc, workspace packages read from their sources. */
export const preset = {
  globalSetup: path.join(root, 'jest.setup.mjs'),
  setupFilesAfterEnv: [path.join(root, 'scripts/test-inputs.ts')],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['require', 'node', 'default'] },
  // No test asserts how long anything takes; a busy machine may take its time.
  testTimeout: 600_000,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/test/(full|long)/'],
  moduleNameMapper: {
    // The client is not built yet.
    [`^@${service}/client$`]: path.join(root, 'packages/client/src/index.ts'),
    [`^@${service}/client/(fetch|stream|testing)$`]: path.join(root, 'packages/client/src/$1.ts'),
  },
  transformIgnorePatterns: ['/node_modules/@?jest'],
  transform: {
    // Not marked, which is published as ESM only, nor packages that share values of Jest's own classes: yaml, the kit, and
    // prom-client, which waits only for promises of its own.
    '/node_modules/(?!(?:marked|prom-client|yaml|@contract-kit)/).*\\.[cm]?js$': path.join(
      root,
      'jest.outside.cjs',
    ),
    '\\.[cm]?[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
};

/** Of every package, as in `npx jest orders` at the root. */
export default {
  projects: ['<rootDir>/{apps,packages,packages/kit}/*/jest.config.mjs'],
  testTimeout: preset.testTimeout,
  // Turbo runs the tests of two packages at a time: while some suites wait for processes and databases, others work.
  maxWorkers: availableParallelism(),
  collectCoverageFrom: ['{apps,packages,packages/kit}/*/src/**/*.ts'],
};
