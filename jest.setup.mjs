import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Builds what the tests run, and makes one folder for all that they leave on the disk, which goes at the end. */
export default function setup() {
  if (!process.env.TURBO_HASH) build();
  const folder = mkdtempSync(path.join(tmpdir(), 'tests-'));
  // Where root runs the tests, PostgreSQL and nginx are other users below it.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}

/** `turbo run test` does it before Jest. */
function build() {
  const { status, stdout } = spawnSync(
    'npx',
    ['turbo', 'run', 'build', 'build:tests', '--output-logs=errors-only'],
    {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (status !== 0) throw new Error(`The build failed:\n${stdout}`);
}
