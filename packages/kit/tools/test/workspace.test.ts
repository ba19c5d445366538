import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/* The settings of the whole workspace. */

const root = path.resolve(__dirname, '../../../..');
const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });

interface Task {
  readonly task: string;
  readonly directory: string;
  readonly inputs: Record<string, string>;
}

test('every file of the repository is an input of the tests, so that Turbo caches no result of another state', () => {
  const { tasks } = JSON.parse(node('node_modules/turbo/bin/turbo', 'run', 'test', '--dry=json')) as {
    tasks: Task[];
  };
  const tests = tasks.filter(({ task }) => task === 'test');
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && existsSync(path.join(root, file)));
  for (const { directory, inputs } of tests) {
    const known = new Set(Object.keys(inputs).map((file) => path.join(directory, file)));
    expect(files.filter((file) => !known.has(file))).toEqual([]);
  }
  expect(tests.length).toBeGreaterThan(3);
});

test('Jest ignores entries in packages/ and apps/ that are no packages', () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'preset-'));
  for (const file of ['package.json', 'jest.config.mjs'])
    cpSync(path.join(root, file), path.join(copy, file));
  for (const folder of ['apps', 'packages/kit', 'packages/left-behind'])
    mkdirSync(path.join(copy, folder), { recursive: true });
  writeFileSync(path.join(copy, 'apps/.DS_Store'), '');
  node(
    '--input-type=module',
    '--eval',
    `await import(${JSON.stringify(path.join(copy, 'jest.config.mjs'))})`,
  );
});
