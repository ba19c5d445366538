import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { installNode, NODE_VERSIONS } from '@contract-kit/test-support';
import { newFolder } from '@contract-kit/test-support/testing';

const folder = path.resolve(import.meta.dirname, '../..');
const root = path.resolve(folder, '../../..');

/** What depends on the Node.js that runs it: the driver, the store and its files, keys, the start. Commands are tried in apps/server. */
const SUITES = 'test/(full/)?(driver|database|store-files|key-store|start-failures)\\.test';

/** The suites run on this Node.js anyway. */
const OTHERS = NODE_VERSIONS.filter((version) => parseInt(version) !== parseInt(process.versions.node));

interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly message: string }[];
}

/** The packages are installed, and the command is built. */
function runSuites(node: string): Results {
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const config = ['--rootDir', '.', '--config', path.join(root, 'jest.full.config.mjs')];
  const outputFile = path.join(newFolder(), 'results.json');
  spawnSync(
    node,
    [jest, ...config, '--testMatch', '**/test/**/*.test.ts', '--json', '--outputFile', outputFile, SUITES],
    {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${path.dirname(node)}:${process.env['PATH']}`,
        TURBO_HASH: 'built',
      },
      stdio: 'ignore',
    },
  );
  return JSON.parse(readFileSync(outputFile, 'utf8')) as Results;
}

describe('on every other Node.js', () => {
  const programs = new Map<string, string>();
  beforeAll(() => {
    for (const version of OTHERS) programs.set(version, installNode(newFolder(), version));
  });

  const passed = new Set<number>();
  test.each(OTHERS)('the same number of tests passes on Node.js %s', (version) => {
    const { numPassedTests, numFailedTests, testResults } = runSuites(programs.get(version) ?? '');
    const failures = testResults.map(({ message }) => message).filter((message) => message !== '');
    expect([numFailedTests, failures]).toEqual([0, []]);
    expect(numPassedTests).toBeGreaterThan(100);
    expect([...passed.add(numPassedTests)]).toEqual([numPassedTests]);
  });

  test('ten thousand connections and statements are collected', () => {
    const script = `
      const { openSqlite } = await import(${JSON.stringify(path.join(folder, 'src/database/sqlite/driver.ts'))});
      for (let index = 0; index < 10_000; index += 1) {
        const database = openSqlite(${JSON.stringify(path.join(newFolder(), 'test.db'))});
        database.prepare('SELECT 1').all();
        if (index % 2) database.close();
        if (index % 100 === 0) gc();
      }
      gc();`;
    for (const [version, node] of programs) {
      const args = ['--import', 'tsx', '--expose-gc', '--input-type=module', '--eval', script];
      const { status, signal, stderr } = spawnSync(node, args, { encoding: 'utf8', cwd: folder });
      expect({ version, status, signal, stderr }).toEqual({ version, status: 0, signal: null, stderr: '' });
    }
  });
});
