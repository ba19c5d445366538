import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { takeUndeclared } from '../../../../scripts/test-inputs.ts';

/* What Turbo hashes before it reuses the result of a package's tests. */

const root = path.resolve(__dirname, '../../../..');

interface Task {
  readonly task: string;
  readonly directory: string;
  readonly inputs: Record<string, string>;
  readonly dependencies: readonly string[];
}

const dryRun = () =>
  JSON.parse(
    execFileSync('npx', ['turbo', 'run', 'test', '--dry=json'], { cwd: root, encoding: 'utf8' }),
  ) as { tasks: Task[] };

test("a package's tests run again after a change of its files, its dependencies' and the files of the root that it names", () => {
  const tests = dryRun().tasks.filter(({ task }) => task === 'test');
  expect(tests.length).toBeGreaterThan(3);
  const readersOf = (file: string) =>
    tests
      .filter(({ directory, inputs }) =>
        Object.keys(inputs).some((input) => path.join(directory, input) === file),
      )
      .map(({ directory }) => directory);
  const all = tests.map(({ directory }) => directory);
  for (const file of ['service.json', 'package.json', 'jest.config.mjs'])
    expect(readersOf(file)).toEqual(all);
  expect(readersOf('.dependency-cruiser.cjs')).toEqual(['packages/kit/cli']);
  expect(readersOf('README.md').length).toBeLessThan(all.length / 2);
  for (const { directory, inputs, dependencies } of tests) {
    expect(Object.keys(inputs)).toContain('package.json');
    expect(dependencies).toContainEqual(expect.stringMatching(/#transit$/));
    expect([directory, readersOf(`${directory}/package.json`)]).toEqual([
      directory,
      expect.arrayContaining([directory]),
    ]);
  }
});

test('a suite that reads another file of the repository is found out', () => {
  readFileSync(path.join(root, 'tsconfig.json'));
  readFileSync(path.join(__dirname, '../../../test-support/kitchen-sink/openapi.yaml'));
  readFileSync(path.join(root, 'packages/kit/core/package.json'));
  expect(takeUndeclared()).toEqual([]);
  readFileSync(path.join(root, 'SECURITY.md'));
  readFileSync(path.join(root, 'README.md'));
  expect(takeUndeclared()).toEqual(['SECURITY.md', 'README.md']);
});
