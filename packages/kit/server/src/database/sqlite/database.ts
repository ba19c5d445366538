import { chmodSync } from 'node:fs';
import { openSqlite, type SqliteDatabase } from './driver.ts';
import { isBusy } from './errors.ts';

export interface DatabaseOptions {
  /** FULL: a commit is on disk when it returns. NORMAL: a power cut may undo the last ones. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** How long a statement waits for another process's write lock, in milliseconds. It blocks the event loop. */
  readonly busyTimeout?: number;
}

/** The size to which SQLite cuts the write-ahead log after a long reader made it grow, in bytes. */
const WAL_LIMIT = 4 * 1024 * 1024;
/** Between attempts to switch to write-ahead mode, in milliseconds. */
const PAUSE = 10;

/** Opens or creates the database at `file`, readable by its owner only, in write-ahead mode. */
export function openDatabase(
  file: string,
  { synchronous, busyTimeout = 5_000 }: DatabaseOptions,
): SqliteDatabase {
  const database = openSqlite(file, { busyTimeout });
  try {
    // SQLite copies the mode to its other files.
    chmodSync(file, 0o600);
    useWriteAheadLog(database, busyTimeout);
    database.pragma(`synchronous = ${synchronous}`);
    database.pragma(`journal_size_limit = ${WAL_LIMIT}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite does not apply its busy time-out to this lock, which processes that open a new file at once all need. */
function useWriteAheadLog(database: SqliteDatabase, patience: number): void {
  const deadline = performance.now() + patience;
  for (;;)
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
}
