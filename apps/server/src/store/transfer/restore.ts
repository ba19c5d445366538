import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { filesIn } from '../../data-dir.ts';
import type { Progress } from './progress.ts';
import { asSetupError, SetupError } from '../../setup-error.ts';
import { openDatabase, type SqliteDatabase } from '../../database/sqlite/database.ts';
import { migrate } from '../../database/sqlite/migrate.ts';
import {
  CHUNK,
  copyInChunks,
  inChunks,
  lockImports,
  removeUnfinished,
} from '../../database/sqlite/import-ranges.ts';
import { countRows, openStoreFile, tablesAsideIn, tablesOf } from '../../database/sqlite/store-file.ts';
import { copyDatabase, refuseOwnFile } from './backup.ts';
import { newPassage, partial, removeLeftovers } from './leftovers.ts';

/** How long an import or another restore is waited for, in milliseconds. */
const BUSY_TIMEOUT = 30_000;

export interface RestoreOptions {
  readonly dataDir: string;
  readonly file: string;
  readonly progress: Progress;
}

/**
 * Replaces everything in the store by what is in a backup, whole or not at all, while a server serves it. Two things
 * are kept, so that going back in time does no harm: revoked keys stay revoked, and no id is issued twice. Resolves
 * to the rows restored, by table. Throws a SetupError; then the store is as it was.
 */
export async function restore({ dataDir, file, progress }: RestoreOptions): Promise<Map<string, number>> {
  refuseOwnFile(dataDir, file);
  // Works on a copy, so that a backup of an older schema can be brought up to date and the file stays as it is.
  const restored = path.join(dataDir, 'restore');
  const copy = partial(restored);
  const backup = openStoreFile(file, { readonly: true });
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    removeLeftovers(restored);
    const counts = countRows(backup);
    const pages = Number(backup.pragma('page_count', { simple: true }));
    progress.start(pages + sum(counts));
    await copyDatabase(backup, copy, (done) => progress.update(done));
    await check(copy, file);
    await replace(dataDir, copy, (rows) => progress.update(pages + rows));
    return counts;
  } catch (error) {
    throw asSetupError(`cannot restore ${file}`, error, 'the store is as it was');
  } finally {
    backup.close();
    rmSync(copy, { force: true });
  }
}

/** Restores a backup that comes in on standard input, by way of DATA_DIR. Resolves and throws as `restore` does. */
export async function restoreFromStdin({
  dataDir,
  progress,
}: Pick<RestoreOptions, 'dataDir' | 'progress'>): Promise<Map<string, number>> {
  if (process.stdin.isTTY)
    throw new SetupError('a backup does not come from a terminal: send one in, or name its file');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = newPassage(dataDir);
  try {
    await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }));
    return await restore({ dataDir, file, progress });
  } catch (error) {
    const { message } = asSetupError('cannot restore standard input', error, 'the store is as it was');
    throw new SetupError(message.replaceAll(file, 'standard input'), { cause: error });
  } finally {
    rmSync(file, { force: true });
  }
}

/** Makes sure that the copy is sound, and of the schema that this program writes. */
async function check(copy: string, file: string): Promise<void> {
  const database = openStoreFile(copy);
  try {
    const [finding] = database.pragma('integrity_check(1)') as { integrity_check: string }[];
    if (finding?.integrity_check !== 'ok')
      throw new SetupError(`cannot restore ${file}: it is damaged; the store is as it was`);
    migrate(database);
    await removeUnfinished(database);
  } finally {
    database.close();
  }
}

async function replace(dataDir: string, copy: string, onProgress: (rows: number) => void): Promise<void> {
  const store = openDatabase(filesIn(dataDir).store, {
    synchronous: 'FULL',
    busyTimeout: BUSY_TIMEOUT,
  });
  try {
    migrate(store);
    const unlock = await lockImports(store);
    try {
      await removeUnfinished(store);
      await dropAside(store);
      store.prepare('ATTACH ? AS backup').run(copy);
      await copyAside(store, onProgress);
      store.transaction(() => exchangeTables(store)).immediate();
      await dropAside(store);
    } finally {
      unlock();
    }
  } finally {
    store.close();
  }
}

/** Copies what is in the backup into tables beside those of the store, which nobody reads, by chunks. */
async function copyAside(store: SqliteDatabase, onProgress: (rows: number) => void): Promise<void> {
  let done = 0;
  for (const { name, columns } of tablesOf(store)) {
    const sql = store.prepare<[string], string>('SELECT sql FROM main.sqlite_schema WHERE name = ?').pluck();
    store.exec(String(sql.get(name)).replace(/^CREATE TABLE "?\w+"?/, `CREATE TABLE ${name}_restored`));
    const fields = columns.join(', ');
    const copy = { source: `backup.${name}`, target: `main.${name}_restored`, fields, columns: fields };
    await copyInChunks(store, copy, (rows) => onProgress((done += rows)));
  }
}

/** Puts the restored tables in place of those of the store, which takes no longer than with empty ones. */
function exchangeTables(store: SqliteDatabase): void {
  const triggers = store.prepare<[string], { name: string; sql: string }>(
    `SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?`,
  );
  for (const { name } of tablesOf(store)) {
    const all = triggers.all(name);
    for (const trigger of all) store.exec(`DROP TRIGGER ${trigger.name}`);
    store.exec(`ALTER TABLE ${name} RENAME TO ${name}_replaced`);
    store.exec(`ALTER TABLE ${name}_restored RENAME TO ${name}`);
    for (const { sql } of all) store.exec(sql);
  }
  // A lifted ban is told from a new one by their numbers, which therefore never go back.
  store.exec(`
    UPDATE main.api_keys
    SET revoked_at = coalesce(api_keys.revoked_at, replaced.revoked_at),
        unbans = max(api_keys.unbans, replaced.unbans)
    FROM api_keys_replaced AS replaced WHERE replaced.id = api_keys.id;`);
  for (const { name } of tablesOf(store)) {
    const issued = `SELECT max(seq) FROM (
      SELECT seq FROM main.sqlite_sequence WHERE name IN ('${name}', '${name}_replaced')
      UNION ALL SELECT seq FROM backup.sqlite_sequence WHERE name = '${name}')`;
    const seq = store.prepare<[], number | null>(issued).pluck().get() ?? null;
    if (seq === null) continue;
    store.prepare('DELETE FROM main.sqlite_sequence WHERE name = ?').run(name);
    store.prepare('INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)').run(name, seq);
  }
  store.exec(`
    INSERT INTO main.audit (at, action, key_id, actor) SELECT at, action, key_id, actor FROM backup.audit
    EXCEPT SELECT at, action, key_id, actor FROM main.audit ORDER BY at;`);
  // By this a server beside this notices that a list it is reading is of the past.
  store.exec('UPDATE main.orders_revision SET restores = restores + 1, revision = revision + 1');
}

/** Removes the tables that were replaced, and those of a restore that was killed, by chunks. */
async function dropAside(store: SqliteDatabase): Promise<void> {
  for (const name of tablesAsideIn(store)) {
    const remove = store.prepare(
      `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} ORDER BY rowid DESC LIMIT ${CHUNK})`,
    );
    await inChunks(store, () => remove.run().changes > 0);
    store.exec(`DROP TABLE ${name}`);
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
