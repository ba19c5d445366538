import {
  chmodSync,
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { filesIn, ownFiles } from '../../data-dir.ts';
import { partial, removeLeftovers } from './leftovers.ts';
import type { Progress } from './progress.ts';
import { asSetupError, SetupError } from '../../setup-error.ts';
import type { SqliteDatabase } from '../../database/sqlite/database.ts';
import { isUpToDate } from '../../database/sqlite/migrate.ts';
import { removeUnfinished } from '../../database/sqlite/import-ranges.ts';
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
  const aside = partial(file);
  try {
    removeLeftovers(file);
    // Without a transaction around it, the copy would start again with each commit of the server.
    source.exec('BEGIN');
    const tables = tablesOf(source);
    progress.start(Number(source.pragma('page_count', { simple: true })));
    await copyDatabase(source, aside, (pages) => {
      progress.update(pages);
    });
    const copy = new Database(aside);
    // A backup that is taken during an import has nothing of it. One of an older schema stays that, for the older program.
    if (isUpToDate(copy)) await removeUnfinished(copy);
    const counts = countRows(copy, tables);
    copy.close();
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

/** Writes a backup to standard output. Resolves and throws as `backUp` does. */
export async function backUpToStdout(
  options: Pick<BackupOptions, 'dataDir' | 'progress'>,
): Promise<Map<string, number>> {
  if (process.stdout.isTTY)
    throw new SetupError('a backup is not for a terminal: send it to a file or a program');
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-'));
  try {
    const file = path.join(folder, 'backup');
    const counts = await backUp({ ...options, file, force: false });
    await pipeline(createReadStream(file), process.stdout, { end: false });
    return counts;
  } finally {
    rmSync(folder, { recursive: true });
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
