import { openSqlite, sqliteCodeOf, type SqliteDatabase } from './driver.ts';

/** Locks `file` until the returned function is called or this process ends. Returns undefined if another process holds it. */
export function lockFile(file: string): (() => void) | undefined {
  let lock: SqliteDatabase | undefined;
  try {
    lock = openSqlite(file, { busyTimeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return () => void lock?.close();
  } catch (error) {
    lock?.close();
    if (sqliteCodeOf(error) === 'SQLITE_BUSY') return undefined;
    throw Object.assign(error as Error, { path: file });
  }
}
