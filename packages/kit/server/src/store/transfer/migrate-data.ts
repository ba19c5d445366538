import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { PoolClient } from 'pg';
import { filesIn } from '../../data-dir.ts';
import { StoreUnavailable } from '../../database/store-unavailable.ts';
import { asOperatorError, OperatorError } from '../../operator-error.ts';
import type { ServiceDefinition } from '../../feature.ts';
import { migrationsOf } from '../open-features.ts';
import { lockDataDir } from '../data-dir-lock.ts';
import { openMigratedDatabase } from '../open-postgres-store.ts';
import { continueIdsSql, IMPORT_LOCK } from '../../database/postgres/postgres-import.ts';
import { migrate } from '../../database/sqlite/migrate.ts';
import type { SqliteDatabase } from '../../database/sqlite/database.ts';
import {
  AUDIT_COLUMNS,
  countRows,
  issuedIds,
  openStoreFile,
  tablesOf,
  type Progress,
  type RowCounts,
  type StoredTable,
} from './store-file.ts';

/** A row with every value as text or null. Both engines read it the same way. */
type TextRow = readonly (string | null)[];

const LOCK_NOT_AVAILABLE = '55P03';
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
export async function migrateData(options: MigrateDataOptions): Promise<RowCounts> {
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
    migrate(source, migrationsOf(service));
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
): Promise<RowCounts> {
  const { database: target } = await openMigratedDatabase(service, { url: databaseUrl });
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
): Promise<RowCounts> {
  const tables = tablesOf(service, source);
  await lockEmptyTables(client, tables);
  const counts = countRows(service, source);
  progress.start(Object.values(counts).reduce((sum, count) => sum + count, 0));

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

/** Locks the tables for writing until the transaction ends. Throws an OperatorError unless all are empty. */
async function lockEmptyTables(client: PoolClient, tables: readonly StoredTable[]): Promise<void> {
  const names = tables.map(({ name }) => name);
  try {
    await client.query(`SET LOCAL lock_timeout = '5s'`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
    await client.query(`LOCK TABLE ${names.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new OperatorError('the database at DATABASE_URL has another writer; nothing was moved');
  }
  const full: string[] = [];
  for (const name of names) {
    const { rows } = await client.query(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rows.length > 0) full.push(name);
  }
  if (full.length > 0) {
    throw new OperatorError(
      `the store at DATABASE_URL is not empty (${full.join(', ')}): use a new database; nothing was moved`,
    );
  }
}

async function writeRows(
  client: PoolClient,
  { name, columns }: StoredTable,
  rows: readonly TextRow[],
): Promise<void> {
  const records = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  const names = columns.join(', ');
  await client.query(
    `INSERT INTO ${name} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${name}, $1)`,
    [JSON.stringify(records)],
  );
}
