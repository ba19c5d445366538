import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '@contract-kit/test-support/testing';

const run = promisify(execFile);

/** Dumps the database at `url`. Resolves to the file. */
export async function dumpOf(url: string): Promise<string> {
  const dump = path.join(newFolder(), 'dump');
  await run('pg_dump', ['--format=custom', `--file=${dump}`, url]);
  return dump;
}

/** Restores a dump into the database at `url`. */
export async function restoreDump(dump: string, url: string, ...options: readonly string[]): Promise<void> {
  await run('pg_restore', ['--no-owner', ...options, `--dbname=${url}`, dump]);
}
