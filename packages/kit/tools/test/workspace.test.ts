import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8' });

interface Task {
  readonly task: string;
  readonly directory: string;
  readonly inputs: Record<string, string>;
}

test('every file of the repository is an input of the tests, so that Turbo reuses no stale result', () => {
  const { tasks } = JSON.parse(run('npx', 'turbo', 'run', 'test', '--dry=json')) as { tasks: Task[] };
  const tests = tasks.filter(({ task }) => task === 'test');
  const files = run('git', 'ls-files', '-z')
    .split('\0')
    .filter((file) => file !== '' && existsSync(path.join(root, file)));
  for (const { directory, inputs } of tests) {
    const known = new Set(Object.keys(inputs).map((file) => path.join(directory, file)));
    expect(files.filter((file) => !known.has(file))).toEqual([]);
  }
  expect(tests.length).toBeGreaterThan(3);
});
