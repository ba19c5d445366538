import {
  chmodSync,
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { filesIn, ownFiles } from '../../data-dir.ts';
import { newPassage, partial, removeLeftovers } from './leftovers.ts';
import type { Progress } from './progress.ts';
import { asSetupError, SetupError } from '../../setup-error.ts';
import type { SqliteDatabase } from '../../database/sqlite/database.ts';
import { schemaOf } from '../../database/sqlite/migrate.ts';
import { removeUnfinished } from '../../database/sqlite/import-ranges.ts';
import { countRows, openStoreFile } from '../../database/sqlite/store-file.ts';

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
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new SetupError(`${file} is a folder`);
  // As root one could replace /dev/null.
  if (there && !there.isFile())
    throw new SetupError(`${file} is no file: choose another name, or - for standard output`);
  if (there && !force)
    throw new SetupError(`${file} is there already: choose another name, or replace it with --force`);
  // What a link leads to, and not the link.
  const target = realpath(file);
  removeLeftovers(target);
  return copyStore(dataDir, partial(target), progress, (copy) => {
    renameSync(copy, target);
    sync(path.dirname(target));
  }).catch((error: unknown) => {
    throw asSetupError(`cannot back up to ${file}`, error);
  });
}

/** Writes a backup to standard output, by way of DATA_DIR. Resolves and throws as `backUp` does. */
export async function backUpToStdout({
  dataDir,
  progress,
}: Pick<BackupOptions, 'dataDir' | 'progress'>): Promise<Map<string, number>> {
  if (process.stdout.isTTY)
    throw new SetupError('a backup is not for a terminal: send it to a file or a program');
  // To the other commands a reader that has seen enough is no failure; this one would have a part of a backup.
  process.stdout.removeAllListeners('error').on('error', () => undefined);
  return copyStore(dataDir, newPassage(dataDir), progress, (copy) =>
    pipeline(createReadStream(copy), process.stdout, { end: false }),
  ).catch((error: unknown) => {
    throw asSetupError('cannot back up to standard output', error);
  });
}

/** Copies the store into the file `copy`, and lets `hand` do with it what it is for. Resolves to the rows in it, by table. */
async function copyStore(
  dataDir: string,
  copy: string,
  progress: Progress,
  hand: (copy: string) => unknown,
): Promise<Map<string, number>> {
  const source = openStoreFile(filesIn(dataDir).store);
  try {
    // Without a transaction around it, the copy would start again with each commit of the server.
    source.exec('BEGIN');
    progress.start(Number(source.pragma('page_count', { simple: true })));
    await copyDatabase(source, copy, (pages) => progress.update(pages));
    const copied = new Database(copy);
    // A backup that is taken during an import has nothing of it. One of an older schema stays that, for the older program.
    if (schemaOf(copied).missing.length === 0) await removeUnfinished(copied);
    const counts = countRows(copied);
    copied.close();
    sync(copy);
    await hand(copy);
    return counts;
  } finally {
    source.close();
    rmSync(copy, { force: true });
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
  chmodSync(copy, 0o600);
  const copied = new Database(copy);
  copied.pragma('journal_mode = DELETE');
  copied.close();
}

/** Throws a SetupError if `file` is one of those that the service itself keeps in `dataDir`. */
export function refuseOwnFile(dataDir: string, file: string): void {
  if (ownFiles(dataDir).map(realpath).includes(realpath(file)))
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
