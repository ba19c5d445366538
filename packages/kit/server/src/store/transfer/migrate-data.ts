import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { PoolClient } from 'pg';
import { filesIn } from '../../data-dir.ts';
import type { Progress } from './progress.ts';
import { StoreUnavailable } from '../../database/store-unavailable.ts';
import { asOperatorError, OperatorError } from '../../operator-error.ts';
import type { ServiceDefinition } from '../../feature.ts';
import { migrationFolders } from '../open-features.ts';
import { lockDataDir } from '../data-dir-lock.ts';
import { openMigratedDatabase } from '../open-postgres-store.ts';
import { AUDIT_COLUMNS } from '../tables.ts';
import { continueIdsSql } from '../../database/postgres/postgres-import.ts';
import { migrate } from '../../database/sqlite/migrate.ts';
import type { SqliteDatabase } from '../../database/sqlite/database.ts';
import { lockEmptyTables, writeRows, type TextRow } from './postgres-rows.ts';
import { countRows, issuedIds, openStoreFile, tablesOf, type StoredTable } from './store-file.ts';

const BATCH = 2_000;
const AUDIT: StoredTable = { name: 'audit', columns: AUDIT_COLUMNS };

export interface MigrateDataOptions {
  readonly service: ServiceDefinition;
  /** The DATA_DIR of the embedded store, which stays unchanged. */
  readonly from: string;
  readonly databaseUrl: string;
  readonly progress: Progress;
}

/** Moves a store into an empty one in PostgreSQL, in one transaction. Resolves to the rows by table. */
export async function migrateData(options: MigrateDataOptions): Promise<Map<string, number>> {
  const { service } = options;
  const from = path.resolve(options.from);
  const file = filesIn(from, service.contract.databaseFile).store;
  if (!existsSync(from) || !statSync(from).isDirectory())
    throw new OperatorError(`there is no folder ${from}`);
  if (!existsSync(file))
    throw new OperatorError(`${from} has no store: there is no ${path.basename(file)} in it`);

  const unlock = lockDataDir(
    from,
    service.contract.databaseFile,
    'stop it first, so that nothing changes during the move.',
  );
  let source: SqliteDatabase | undefined;
  try {
    source = openStoreFile(service, file);
    migrate(source, migrationFolders(service));
    // No other command may write to it during the move.
    source.exec('BEGIN IMMEDIATE');
    return await moveInto(source, options);
  } catch (error) {
    throw asOperatorError(`cannot move ${file}`, error, 'nothing was moved');
  } finally {
    source?.close();
    unlock();
  }
}

async function moveInto(
  source: SqliteDatabase,
  { service, databaseUrl, progress }: MigrateDataOptions,
): Promise<Map<string, number>> {
  const target = await openMigratedDatabase(service, { url: databaseUrl });
  try {
    return await target.transaction((client) => moveAll(service, source, client, progress), 'unlimited');
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { cause = error } = error as { cause?: unknown };
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(
      error instanceof StoreUnavailable
        ? `the database at DATABASE_URL stopped responding (${reason}): run this again. Either everything was moved or nothing`
        : `the database at DATABASE_URL rejected it: ${reason}; nothing was moved`,
      { cause: error },
    );
  } finally {
    await target.close();
  }
}

async function moveAll(
  service: ServiceDefinition,
  source: SqliteDatabase,
  client: PoolClient,
  progress: Progress,
): Promise<Map<string, number>> {
  const tables = tablesOf(service, source);
  await lockEmptyTables(client, tables);
  const counts = countRows(service, source);
  progress.start([...counts.values()].reduce((sum, count) => sum + count, 0));

  let done = 0;
  for (const table of tables) {
    for (const rows of batchesOf(source, table)) {
      await writeRows(client, table, rows);
      progress.update((done += rows.length));
    }
  }
  for (const rows of batchesOf(source, AUDIT)) await writeRows(client, AUDIT, rows);
  // Last, because a rollback does not reset a sequence.
  for (const [table, highest] of issuedIds(source)) await client.query(continueIdsSql(table, highest));
  return counts;
}

/** The rows by id, in batches, every value as text. */
function* batchesOf(source: SqliteDatabase, { name, columns }: StoredTable): Generator<TextRow[]> {
  const texts = columns.map((column) => `CAST(${column} AS TEXT)`).join(', ');
  const rows = source.prepare<[], TextRow>(`SELECT ${texts} FROM ${name} ORDER BY id`).raw().iterate();
  let batch: TextRow[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
