import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../src/errors.ts';
import { planOf, USAGE } from '../src/arguments.ts';
import { root } from '../src/data.ts';
import { catalogueRows } from '../src/catalogue-rows.ts';
import { rows } from '../src/rows.ts';

test('npm run bench -- --help lists the rows, without building or installing anything', () => {
  const program = path.resolve(import.meta.dirname, '../src/main.ts');
  // Without a PATH, npm cannot be found.
  const options = { cwd: root, env: {} };
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', program, '--help'], options);
  assert.equal(status, 0);
  assert.equal(stdout.toString(), `${USAGE}\n`);
  for (const { name } of [...rows, ...catalogueRows]) assert.ok(USAGE.includes(`  ${name} `), name);
});

test('a comparison takes 15 rounds by default, a run 5', () => {
  const seconds = '2';
  assert.equal(planOf({ seconds }, []).rounds, 5);
  assert.equal(planOf({ seconds, against: root }, []).rounds, 15);
  assert.equal(planOf({ seconds, rounds: '7' }, ['list-10']).rounds, 7);
});

test('a comparison is with a folder or a commit', () => {
  assert.deepEqual(planOf({ seconds: '2', against: root }, []).against, { folder: root });
  const commit = planOf({ seconds: '2', against: 'HEAD' }, []).against;
  assert.match(commit && 'commit' in commit ? commit.commit : '', /^[0-9a-f]{40}$/);
});

for (const [values, names, message] of [
  [{}, ['list-11'], /^Unknown name list-11\. Known names: list-10, /],
  [{ rounds: '0' }, [], /^--rounds must be a whole number from 1/],
  [{ against: root, rounds: '1' }, [], /^--against needs at least 2 rounds/],
  [{ against: import.meta.dirname }, [], /^--against needs a checkout of this repository: .* is missing/],
  [{ against: '../other' }, [], /^--against needs a folder or a commit: \.\.\/other is neither/],
  [{ against: '--help' }, [], /^--against needs a folder or a commit: --help is neither/],
] as const) {
  test(`wrong arguments are rejected: ${message.source}`, () => {
    assert.throws(
      () => planOf({ seconds: '2', ...values }, names),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  });
}
