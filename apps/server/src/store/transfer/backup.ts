import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { filesIn } from '../../data-dir.ts';
import type { Progress } from './progress.ts';
import { asSetupError, SetupError } from '../../setup-error.ts';
import type { SqliteDatabase } from '../../database/sqlite/database.ts';
import { countRows, openStoreFile, tablesOf } from '../../database/sqlite/store-file.ts';

/** Pages copied between two turns of the event loop; one has 4 kB. */
const PAGES_AT_ONCE = 1_000;

export interface BackupOptions {
  readonly dataDir: string;
  readonly file: string;
  /** Whether a file that is there already may be replaced. */
  readonly force: boolean;
  readonly progress: Progress;
}

/**
 * Copies the store as it is at one moment into a file of its own, while a server serves it and without making it
 * wait. `file` appears when it is complete. Resolves to the rows in it, by table. Throws a SetupError.
 */
export async function backUp({
  dataDir,
  file,
  force,
  progress,
}: BackupOptions): Promise<Map<string, number>> {
  refuseOwnFile(dataDir, file);
  if (!existsSync(path.dirname(file)))
    throw new SetupError(`cannot back up to ${file}: there is no such folder`);
  if (existsSync(file) && statSync(file).isDirectory()) throw new SetupError(`${file} is a folder`);
  if (existsSync(file) && !force)
    throw new SetupError(`${file} is there already: choose another name, or replace it with --force`);
  const source = openStoreFile(filesIn(dataDir).store);
  const aside = `${file}.${process.pid}.partial`;
  try {
    // Without a transaction around it, the copy would start again with each commit of the server.
    source.exec('BEGIN');
    const counts = countRows(source, tablesOf(source));
    progress.start(Number(source.pragma('page_count', { simple: true })));
    await copyDatabase(source, aside, (pages) => {
      progress.update(pages);
    });
    sync(aside);
    renameSync(aside, file);
    sync(path.dirname(file));
    return counts;
  } catch (error) {
    throw asSetupError(`cannot back up to ${file}`, error);
  } finally {
    progress.stop();
    source.close();
    rmSync(aside, { force: true });
  }
}

/** Copies all of `source` into the file `copy`, which is complete in itself: it needs no log beside it. */
export async function copyDatabase(
  source: SqliteDatabase,
  copy: string,
  onProgress: (pages: number) => void,
): Promise<void> {
  await source.backup(copy, {
    progress({ totalPages, remainingPages }) {
      onProgress(totalPages - remainingPages);
      return PAGES_AT_ONCE;
    },
  });
  const copied = new Database(copy);
  copied.pragma('journal_mode = DELETE');
  copied.close();
}

/** Throws a SetupError if `file` is one of those that the service itself keeps in `dataDir`. */
export function refuseOwnFile(dataDir: string, file: string): void {
  const own = Object.values(filesIn(dataDir)).flatMap((name) => [name, `${name}-wal`, `${name}-shm`]);
  if (own.map(realpath).includes(realpath(file)))
    throw new SetupError(`${file} is a file of the store itself: choose another`);
}

function realpath(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const folder = path.resolve(path.dirname(file));
  return path.join(existsSync(folder) ? realpathSync(folder) : folder, path.basename(file));
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
