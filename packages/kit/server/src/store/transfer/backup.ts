import {
  chmodSync,
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
} from 'node:fs';
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { filesIn, kitFiles } from '../../data-dir.ts';
import { openSqlite, type SqliteDatabase } from '../../database/sqlite/driver.ts';
import type { ServiceDefinition } from '../../feature.ts';
import { asOperatorError, OperatorError } from '../../operator-error.ts';
import { countRows, openStoreFile, type Progress, type RowCounts } from './store-file.ts';

/** Pages of 4 kB copied in one turn of the event loop. */
const PAGES_AT_ONCE = 1_000;

export interface BackupOptions {
  readonly service: ServiceDefinition;
  readonly dataDir: string;
  readonly file: string;
  readonly force: boolean;
  readonly progress: Progress;
}

/**
 * Copies a snapshot of the store into `file`, while a server serves it, and its checksum into `file`.sha256 for
 * `sha256sum -c`. Both appear when they are complete. Resolves to the rows in it, by table. Throws an OperatorError.
 */
export async function backUp(options: BackupOptions): Promise<RowCounts> {
  const { service, dataDir, file, force } = options;
  refuseKitFile(service, dataDir, file);
  if (!existsSync(path.dirname(file)))
    throw new OperatorError(`cannot back up to ${file}: the folder does not exist`);
  const entry = statSync(file, { throwIfNoEntry: false });
  if (entry?.isDirectory()) throw new OperatorError(`${file} is a folder`);
  // As root one could replace /dev/null.
  if (entry && !entry.isFile()) throw new OperatorError(`${file} is not a regular file: choose another name`);
  if (entry && !force)
    throw new OperatorError(`${file} already exists: choose another name, or replace it with --force`);
  // The target of a link, not the link.
  const target = realpath(file);
  const checksum = checksumFileOf(target);
  let unfinished: string | undefined;
  try {
    unfinished = mkdtempSync(`${target}.partial-`);
    const [copy, sum] = [path.join(unfinished, 'copy'), path.join(unfinished, 'sum')];
    const counts = await copyStore(options, copy);
    writeFileSync(sum, `${await sha256Of(copy)}  ${path.basename(target)}\n`);
    for (const item of [copy, sum]) sync(item);
    // A backup without a checksum can be restored; one with a wrong checksum cannot.
    rmSync(checksum, { force: true });
    renameSync(copy, target);
    renameSync(sum, checksum);
    sync(path.dirname(target));
    return counts;
  } catch (error) {
    throw asOperatorError(`cannot back up to ${file}`, error);
  } finally {
    if (unfinished) rmSync(unfinished, { recursive: true });
  }
}

async function copyStore({ service, dataDir, progress }: BackupOptions, copy: string): Promise<RowCounts> {
  const source = openStoreFile(service, filesIn(dataDir, service.contract.databaseFile).store);
  try {
    // Without a transaction the copy would restart at each commit of the server.
    source.exec('BEGIN');
    progress.start(Number(source.pragma('page_count')));
    await copyDatabase(source, copy, (pages) => progress.update(pages));
    return countRows(service, source);
  } finally {
    source.close();
  }
}

/** Copies all of `source` into the file `copy`, which needs no write-ahead log. */
export async function copyDatabase(
  source: SqliteDatabase,
  copy: string,
  onProgress: (pages: number) => void,
): Promise<void> {
  await source.backup(copy, { pagesAtOnce: PAGES_AT_ONCE, onProgress });
  chmodSync(copy, 0o600);
  const copied = openSqlite(copy);
  copied.pragma('journal_mode = DELETE');
  copied.close();
}

/** Throws an OperatorError if `file` is one of the service's files in `dataDir`. */
export function refuseKitFile({ contract }: ServiceDefinition, dataDir: string, file: string): void {
  if (kitFiles(dataDir, contract.databaseFile).map(realpath).includes(realpath(file)))
    throw new OperatorError(`${file} is a file of the store: choose another name`);
}

/** The file of a backup's checksum, next to the target of a link. */
export function checksumFileOf(file: string): string {
  return `${realpath(file)}.sha256`;
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

function realpath(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const folder = path.resolve(path.dirname(file));
  return path.join(existsSync(folder) ? realpathSync(folder) : folder, path.basename(file));
}

/** Flushes a file, or the names in a folder, to the disk. */
export function sync(file: string): void {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
