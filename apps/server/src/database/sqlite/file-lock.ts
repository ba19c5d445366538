import Database from 'better-sqlite3';
import { sqliteCodeOf } from './database.ts';

/**
 * Locks `file` for this process, until what is returned is called or the process ends in whatever way: the operating
 * system drops the lock with it, so a stale one is no obstacle. Returns undefined where another holds it.
 */
export function lockFile(file: string): (() => void) | undefined {
  const lock = new Database(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return () => void lock.close();
  } catch (error) {
    lock.close();
    if (sqliteCodeOf(error)?.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}
