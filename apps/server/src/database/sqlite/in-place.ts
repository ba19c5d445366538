import { closeSync, openSync, readSync, statSync, truncateSync, type Stats } from 'node:fs';
import { StoreUnavailable } from '../store-unavailable.ts';
import type { SqliteDatabase } from './database.ts';

/** The files of a database when it was opened, by their inodes. */
const opened = new WeakMap<SqliteDatabase, readonly (readonly [file: string, inode: number | undefined])[]>();

/** In place of the inode of a file that was cut off: no file has it. */
const NEVER = -1;
/** What a log of SQLite begins with, but for its last bit (its file format, §4.1). */
const LOG_HEADER = 0x377f0682;

/** Throws StoreUnavailable where nobody can say, as in a folder that this user may not enter any more. */
function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new StoreUnavailable(error);
  }
}

/** Remembers which files `database` has open, once it has read from them. */
export function rememberFiles(database: SqliteDatabase): void {
  const files = ['', '-wal', '-shm'].map((suffix) => database.name + suffix);
  opened.set(
    database,
    files.map((file) => [file, statsOf(file)?.ino]),
  );
}

/**
 * Throws StoreUnavailable if a file of `database` was removed, replaced or cut off to nothing since: SQLite goes on in
 * what has no name any more, or from memory, and everything that is written there is lost with this process.
 */
export function assertInPlace(database: SqliteDatabase): void {
  for (const [file, inode] of opened.get(database) ?? []) {
    const stats = statsOf(file);
    const isLog = file.endsWith('-wal');
    const isCutOff = stats && (isLog ? hasLost(database, file, stats) : stats.size === 0);
    if (stats?.ino === inode && !isCutOff) continue;
    // What is written into it later does not make it whole.
    if (isCutOff) opened.set(database, [[file, NEVER]]);
    if (isCutOff && isLog) abandonLog(database, file);
    const cause = new Error(`${file} is not the file that was opened`);
    throw new StoreUnavailable(Object.assign(cause, { code: 'STORE_REMOVED' }));
  }
}

/** Whether the log has lost commits: SQLite, which empties it too, but has none in it then, writes on behind a hole. */
function hasLost(database: SqliteDatabase, log: string, { size, blocks }: Stats): boolean {
  // Nothing more has to be asked of a file without holes. On some file systems every file may have them.
  if (blocks * 512 >= size) return false;
  const header = Buffer.alloc(4);
  const descriptor = openSync(log, 'r');
  readSync(descriptor, header);
  closeSync(descriptor);
  if ((header.readUInt32BE() & ~1) >>> 0 === LOG_HEADER) return false;
  const [{ log: commits }] = database.pragma('wal_checkpoint(NOOP)') as [{ log: number }];
  return commits > 0;
}

/** Keeps SQLite from copying the hole in the log into the store, which is whole but for what was in the log. */
function abandonLog(database: SqliteDatabase, log: string): void {
  database.pragma('wal_autocheckpoint = 0');
  // What it does at the end fails for want of a log.
  truncateSync(log);
}
