import { statSync } from 'node:fs';
import { StoreUnavailable } from '../store-unavailable.ts';
import type { SqliteDatabase } from './driver.ts';

/** The files of a database when it was opened, by their inodes. */
const opened = new WeakMap<SqliteDatabase, ReadonlyMap<string, number | undefined>>();

/** Throws StoreUnavailable if it is unknown, as in a folder that this user may no longer enter. */
function inodeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.ino;
  } catch (error) {
    throw new StoreUnavailable(error);
  }
}

/** Records the open files of `database` after the first read. */
export function snapshotInodes(database: SqliteDatabase): void {
  const files = ['', '-wal', '-shm'].map((suffix) => database.file + suffix);
  opened.set(database, new Map(files.map((file) => [file, inodeOf(file)])));
}

/** Throws StoreUnavailable if a file was removed or replaced: SQLite's writes would be lost. */
export function assertFilesUnchanged(database: SqliteDatabase): void {
  for (const [file, inode] of opened.get(database) ?? []) {
    if (inodeOf(file) === inode) continue;
    const cause = new Error(`${file} was removed or replaced while it was open`);
    throw new StoreUnavailable(Object.assign(cause, { code: 'STORE_REMOVED' }));
  }
}
