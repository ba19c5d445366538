import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** One folder for all that the tests of a run leave on the disk, which goes at its end. */
export default function setup() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tests-'));
  // Where root runs the tests, PostgreSQL and nginx are other users below it.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}
