import Database from 'better-sqlite3';
import { sqliteCodeOf } from './database.ts';

/** Locks `file` until the returned function is called or this process ends. Returns undefined if another process holds it. */
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
