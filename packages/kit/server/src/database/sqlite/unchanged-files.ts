import { statSync } from 'node:fs';
import { StoreUnavailable } from '../store-unavailable.ts';
import type { SqliteDatabase } from './database.ts';

/** The files of a database when it was opened, by their inodes. */
const opened = new WeakMap<SqliteDatabase, ReadonlyMap<string, number | undefined>>();

/** Throws StoreUnavailable if nobody can say, as in a folder that this user may not enter any more. */
function inodeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.ino;
  } catch (error) {
    throw new StoreUnavailable(error);
  }
}

/** Remembers which files `database` has open, once it has read from them. */
export function snapshotInodes(database: SqliteDatabase): void {
  const files = ['', '-wal', '-shm'].map((suffix) => database.name + suffix);
  opened.set(database, new Map(files.map((file) => [file, inodeOf(file)])));
}

/** Throws StoreUnavailable if a file was removed or replaced: what SQLite goes on to write would be lost. */
export function assertFilesUnchanged(database: SqliteDatabase): void {
  for (const [file, inode] of opened.get(database) ?? []) {
    if (inodeOf(file) === inode) continue;
    const cause = new Error(`${file} is not the file that was opened`);
    throw new StoreUnavailable(Object.assign(cause, { code: 'STORE_REMOVED' }));
  }
}
