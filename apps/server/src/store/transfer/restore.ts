import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from '../../data-dir.ts';
import type { Progress } from './progress.ts';
import { asSetupError, SetupError } from '../../setup-error.ts';
import { openDatabase, type SqliteDatabase } from '../../database/sqlite/database.ts';
import { migrate } from '../../database/sqlite/migrate.ts';
import { countRows, openStoreFile, tablesOf } from '../../database/sqlite/store-file.ts';
import { copyDatabase, refuseOwnFile } from './backup.ts';

/** How long an import or another restore is waited for, in milliseconds. */
const BUSY_TIMEOUT = 30_000;

export interface RestoreOptions {
  readonly dataDir: string;
  readonly file: string;
  readonly progress: Progress;
}

/**
 * Replaces everything in the store by what is in a backup, in one transaction, while a server serves it. Two things
 * are kept, so that going back in time does no harm: revoked keys stay revoked, and no id is issued twice. Resolves
 * to the rows restored, by table. Throws a SetupError; then the store is as it was.
 */
export async function restore({ dataDir, file, progress }: RestoreOptions): Promise<Map<string, number>> {
  refuseOwnFile(dataDir, file);
  // Works on a copy, so that a backup of an older schema can be brought up to date and the file stays as it is.
  const copy = path.join(dataDir, `restore.${process.pid}.partial`);
  const backup = openStoreFile(file, { readonly: true });
  try {
    mkdirSync(dataDir, { recursive: true });
    const counts = countRows(backup, tablesOf(backup));
    const pages = Number(backup.pragma('page_count', { simple: true }));
    progress.start(pages + sum(counts));
    await copyDatabase(backup, copy, (done) => {
      progress.update(done);
    });
    check(copy, file);
    replace(dataDir, copy, (rows) => {
      progress.update(pages + rows);
    });
    return counts;
  } catch (error) {
    throw asSetupError(`cannot restore ${file}`, error, 'the store is as it was');
  } finally {
    progress.stop();
    backup.close();
    rmSync(copy, { force: true });
  }
}

/** Makes sure that the copy is sound, and of the schema that this program writes. */
function check(copy: string, file: string): void {
  const database = openStoreFile(copy);
  try {
    const [finding] = database.pragma('integrity_check(1)') as { integrity_check: string }[];
    if (finding?.integrity_check !== 'ok')
      throw new SetupError(`cannot restore ${file}: it is damaged; the store is as it was`);
    migrate(database);
  } finally {
    database.close();
  }
}

function replace(dataDir: string, copy: string, onProgress: (rows: number) => void): void {
  const store = openDatabase(filesIn(dataDir).store, {
    synchronous: 'FULL',
    busyTimeout: BUSY_TIMEOUT,
  });
  try {
    migrate(store);
    store.prepare('ATTACH ? AS backup').run(copy);
    store.transaction(() => replaceTables(store, onProgress)).immediate();
  } finally {
    store.close();
  }
}

function replaceTables(store: SqliteDatabase, onProgress: (rows: number) => void): void {
  store.exec('CREATE TEMP TABLE replaced_keys AS SELECT id, revoked_at, unbans FROM main.api_keys');
  let done = 0;
  for (const table of tablesOf(store)) {
    const columns = table.columns.join(', ');
    store.exec(`DELETE FROM main.${table.name}`);
    done += store
      .prepare(`INSERT INTO main.${table.name} (${columns}) SELECT ${columns} FROM backup.${table.name}`)
      .run().changes;
    onProgress(done);
  }
  // A lifted ban is told from a new one by their numbers, which therefore never go back.
  store.exec(`
    UPDATE main.api_keys
    SET revoked_at = coalesce(api_keys.revoked_at, replaced.revoked_at),
        unbans = max(api_keys.unbans, replaced.unbans)
    FROM temp.replaced_keys AS replaced WHERE replaced.id = api_keys.id;
    UPDATE main.sqlite_sequence SET seq = max(sqlite_sequence.seq, issued.seq)
    FROM backup.sqlite_sequence AS issued WHERE issued.name = sqlite_sequence.name;
    INSERT INTO main.sqlite_sequence (name, seq)
    SELECT name, seq FROM backup.sqlite_sequence WHERE name NOT IN (SELECT name FROM main.sqlite_sequence);`);
  // By this a server beside this notices that a list it is reading is of the past.
  store.exec('UPDATE main.orders_revision SET restores = restores + 1');
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
