import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import path from 'node:path';
import { filesIn, ownFiles } from '../data-dir.ts';
import { asSetupError, SetupError } from '../setup-error.ts';
import { sqliteCodeOf } from '../database/sqlite/database.ts';
import { removeLeftovers } from './transfer/leftovers.ts';

const SERVE_INSTEAD =
  'stop that one, or give this one a DATA_DIR of its own. To run several on the same orders, set DATABASE_URL and ' +
  'REDIS_URL.';

/**
 * Makes this the only process that serves `dataDir`, until the returned function is called or the process ends in
 * whatever way: the operating system drops the lock with it, so a stale one is no obstacle. Throws a SetupError that
 * says who holds it, and `advice`.
 */
export function lockDataDir(dataDir: string, advice = SERVE_INSTEAD): () => void {
  const files = filesIn(dataDir);
  let lock: Database.Database | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
    for (const name of ['restore', 'backup']) removeLeftovers(path.join(dataDir, name));
    // SQLite opens a file that it may not write to, and each cancel would fail. What else is there is not our business.
    for (const file of ownFiles(dataDir).filter((each) => existsSync(each))) accessSync(file, constants.W_OK);
    lock = new Database(files.lock, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(files.lockHolder, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }));
  } catch (error) {
    lock?.close();
    if (sqliteCodeOf(error)?.startsWith('SQLITE_BUSY')) {
      throw new SetupError(
        `DATA_DIR ${dataDir} is being served already by ${holderIn(files.lockHolder)}: ${advice}`,
      );
    }
    // Such as one that root has left by an import.
    const file = ownFiles(dataDir).find((each) => each === (error as NodeJS.ErrnoException).path);
    throw asSetupError(`cannot write to ${file ?? `DATA_DIR ${dataDir}`}`, error);
  }
  return () => {
    rmSync(files.lockHolder, { force: true });
    lock?.close();
  };
}

function holderIn(note: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(note, 'utf8')) as Record<string, unknown>;
    return `process ${String(pid)} (since ${String(since)})`;
  } catch {
    return 'another process';
  }
}
