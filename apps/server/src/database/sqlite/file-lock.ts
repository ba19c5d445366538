import Database from 'better-sqlite3';
import { sqliteCodeOf } from './database.ts';

/**
 * Locks `file` for this process, until what is returned is called or the process ends in whatever way: the operating
 * system drops the lock with it, so a stale one is no obstacle. Returns undefined where another holds it. Throws an error
 * that has the path of the file, as those of the operating system have.
 */
export function lockFile(file: string): (() => void) | undefined {
  let lock: Database.Database | undefined;
  try {
    lock = new Database(file, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return () => void lock?.close();
  } catch (error) {
    lock?.close();
    if (sqliteCodeOf(error)?.startsWith('SQLITE_BUSY')) return undefined;
    throw Object.assign(error as Error, { path: file });
  }
}
