import { statSync } from 'node:fs';
import { StoreUnavailable } from '../store-unavailable.ts';
import type { SqliteDatabase } from './database.ts';

/** The files of a database when it was opened, by their inodes. */
const opened = new WeakMap<SqliteDatabase, readonly (readonly [file: string, inode: number | undefined])[]>();

/** In place of the inode of a file that was cut off to nothing: no file has it. */
const CUT_OFF = 0;
const NEVER = -1;

/** Throws StoreUnavailable where nobody can say, as in a folder that this user may not enter any more. */
function inodeOf(file: string): number | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    // SQLite itself empties its log, and nothing else.
    return stats?.size === 0 && !file.endsWith('-wal') ? CUT_OFF : stats?.ino;
  } catch (error) {
    throw new StoreUnavailable(error);
  }
}

/** Remembers which files `database` has open, once it has read from them. */
export function rememberFiles(database: SqliteDatabase): void {
  const files = ['', '-wal', '-shm'].map((suffix) => database.name + suffix);
  opened.set(
    database,
    files.map((file) => [file, inodeOf(file)]),
  );
}

/**
 * Throws StoreUnavailable if a file of `database` was removed, replaced or cut off to nothing since: SQLite goes on in
 * what has no name any more, or from memory, and everything that is written there is lost with this process.
 */
export function assertInPlace(database: SqliteDatabase): void {
  for (const [file, inode] of opened.get(database) ?? []) {
    const found = inodeOf(file);
    if (found === inode) continue;
    // What is written into it later does not make it whole.
    if (found === CUT_OFF) opened.set(database, [[file, NEVER]]);
    const cause = new Error(`${file} is not the file that was opened`);
    throw new StoreUnavailable(Object.assign(cause, { code: 'STORE_REMOVED' }));
  }
}
