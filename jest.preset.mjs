import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = import.meta.dirname;
const workspaces = ['apps', 'packages'].flatMap((parent) =>
  readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`),
);
/**
 * What Node.js loads itself: marked is not published in a form that it could load for Jest, and what yaml makes of a
 * text has to be of Jest's own classes.
 */
const packages = ['.', ...workspaces]
  .map((folder) => JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')))
  .flatMap(({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies }))
  .filter((name) => !/^(?:(?:marked|yaml)$|@?jest|@petstore\/)/.test(name))
  .join('|');

/** The jest settings every workspace shares: TypeScript through swc, workspace packages read from their sources. */
export default {
  globalSetup: path.join(root, 'jest.setup.mjs'),
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@petstore/source', 'require', 'node', 'default'] },
  // No test asserts how long anything takes; a busy machine may take its time.
  testTimeout: 300_000,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transformIgnorePatterns: [`/node_modules/(?!(?:marked|${packages})/)`],
  transform: {
    [`/node_modules/(?:${packages})/`]: path.join(root, 'jest.outside.cjs'),
    '\\.[cm]?[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
};
