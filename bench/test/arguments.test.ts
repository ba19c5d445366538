import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { helpText, readArguments, UsageError } from '../src/arguments.ts';
import { root } from '../src/data.ts';
import { rows } from '../src/rows.ts';

test('npm run bench -- --help lists the rows, without building or installing anything', () => {
  const program = path.resolve(import.meta.dirname, '../run.mjs');
  // Without a PATH, npm cannot be found.
  const { status, stdout } = spawnSync(process.execPath, [program, '--help'], { env: {} });
  assert.equal(status, 0);
  assert.equal(stdout.toString(), `${helpText}\n`);
  for (const { name } of rows) assert.ok(helpText.includes(`  ${name} `), name);
});

test('a comparison takes 15 rounds by default, a run 5', () => {
  assert.equal(readArguments([]).rounds, 5);
  assert.equal(readArguments(['--against', root]).rounds, 15);
  assert.equal(readArguments(['list-10', '--rounds', '7']).rounds, 7);
});

for (const [args, message] of [
  [['list-11'], /^Unknown name list-11\. Known names: list-10, /],
  [['--rounds', '0'], /^--rounds must be a whole number from 1/],
  [['--against', root, '--rounds', '1'], /^--against needs at least 2 rounds/],
  [['--against', '../other'], /^--against needs a checkout of this repository: .* is missing/],
  [['--round', '3'], /^Unknown option '--round'/],
] as const) {
  test(`rejects ${args.join(' ').replace(root, 'DIR')} and says why`, () => {
    assert.throws(
      () => readArguments(args),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  });
}
