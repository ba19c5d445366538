import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';

export type SqliteDatabase = Database.Database;

export interface DatabaseOptions {
  /** FULL: a commit is on disk when it returns. NORMAL: a power cut may undo the last ones. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** How long a statement waits for another process's write lock, in milliseconds. It blocks the event loop. */
  readonly busyTimeout?: number;
}

/** Opens or creates the database at `path`, readable by its owner only, in write-ahead mode. */
export function openDatabase(
  path: string,
  { synchronous, busyTimeout = 5_000 }: DatabaseOptions,
): SqliteDatabase {
  const database = new Database(path, { timeout: busyTimeout });
  try {
    // SQLite copies the mode to its other files.
    chmodSync(path, 0o600);
    database.pragma('journal_mode = WAL');
    database.pragma(`synchronous = ${synchronous}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The code of an error of SQLite, such as `SQLITE_BUSY`. The class does not tell: better-sqlite3 may be loaded twice. */
export function sqliteCodeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}
