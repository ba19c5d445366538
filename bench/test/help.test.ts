import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';

test('--help lists the parts, and installs nothing', () => {
  const bench = path.dirname(import.meta.dirname);
  const root = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  mkdirSync(path.join(root, 'bench'));
  for (const name of ['run.mjs', 'package.json', 'package-lock.json', 'src', 'probes'])
    cpSync(path.join(bench, name), path.join(root, 'bench', name), { recursive: true });
  symlinkSync(path.join(bench, '../node_modules'), path.join(root, 'node_modules'));
  const env = { PATH: root };
  const { status, stdout } = spawnSync(process.execPath, [path.join(root, 'bench/run.mjs'), '--help'], {
    env,
  });
  rmSync(root, { recursive: true });
  assert.equal(status, 0);
  assert.match(stdout.toString(), /Parts:\n  list-10 /);
});
