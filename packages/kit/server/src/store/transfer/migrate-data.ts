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
import { migrate } from '../../database/sqlite/migrate.ts';
import type { SqliteDatabase } from '../../database/sqlite/driver.ts';
import { canonicalText, postgresText } from './column-value.ts';
import {
  continueSequence,
  insertRows,
  lockUnusedTables,
  readRows,
  suspendSchema,
  type TargetColumn,
  type TargetTable,
} from './postgres-target.ts';
import { bucketOf, RowDigest } from './row-digest.ts';
import { rowsOf, sourceTables, type SourceRow, type SourceTable } from './sqlite-source.ts';
import { openStoreFile, type Progress, type RowCounts } from './store-file.ts';

/** The most rows, and characters, that are in memory at once. A longer row is a whole batch. */
const MAX_ROWS = 2_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

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
    const { message = String(cause), detail } = cause as { message?: string; detail?: string };
    const reason = detail === undefined ? message : `${message}: ${detail}`;
    throw new OperatorError(
      error instanceof StoreUnavailable
        ? `the database at DATABASE_URL failed (${reason}): run this again once it works. Either everything was moved or nothing`
        : `the database at DATABASE_URL rejected it: ${reason}; nothing was moved`,
      { cause: error },
    );
  } finally {
    await target.close();
  }
}

/** A table in both databases. */
interface Pair {
  readonly source: SourceTable;
  readonly target: string;
  /** For each column of the source, the one there. */
  readonly columns: readonly TargetColumn[];
}

async function moveAll(
  service: ServiceDefinition,
  source: SqliteDatabase,
  client: PoolClient,
  progress: Progress,
): Promise<RowCounts> {
  const targets = await lockUnusedTables(client);
  const pairs = sourceTables(service, source).flatMap((table) => pairOf(table, targets));
  // Copying and reading back.
  const total = pairs.reduce((sum, pair) => sum + 2 * pair.source.count, 0);
  progress.start(total);
  let done = 0;
  const advance = (rows: number) => progress.update((done += rows));

  const restoreSchema = await suspendSchema(client);
  // Rows that migrations made are in the source too, perhaps changed.
  for (const { target } of pairs) await client.query(`DELETE FROM ${client.escapeIdentifier(target)}`);
  const digests: RowDigest[] = [];
  for (const pair of pairs) digests.push(await copyRows(source, client, pair, advance));
  await restoreSchema();
  for (const [index, pair] of pairs.entries())
    await compareRows(source, client, pair, digests[index] as RowDigest, advance);
  // Last, because a rollback does not reset a sequence.
  for (const { source: from, target, columns } of pairs)
    for (const [index, column] of columns.entries())
      if (column.sequence !== null) {
        const isKey = from.key[0] === from.columns[index];
        await continueSequence(client, target, column, isKey ? from.issued : undefined);
      }
  return Object.fromEntries(pairs.map((pair) => [pair.source.name, pair.source.count]));
}

/** The table of the same name in PostgreSQL. Throws an OperatorError if rows or columns would be left behind. */
function pairOf(source: SourceTable, targets: readonly TargetTable[]): Pair[] {
  // PostgreSQL folds names without quotes to lower case.
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const missing = (what: string) =>
    new OperatorError(
      `${what} has no counterpart in PostgreSQL: add it to the migrations there; nothing was moved`,
    );
  const target = targets.find(({ name }) => isSame(name, source.name));
  if (!target) {
    if (source.count > 0) throw missing(`the table ${source.name}`);
    return [];
  }
  const columns = source.columns.map((name) => {
    const column = target.columns.find((item) => isSame(item.name, name));
    if (!column) throw missing(`the column ${name} of the table ${source.name}`);
    return column;
  });
  return [{ source, target: target.name, columns }];
}

/** Copies all rows of a table. Resolves to their digest. Throws an OperatorError that names the row that cannot be stored. */
async function copyRows(
  source: SqliteDatabase,
  client: PoolClient,
  { source: table, target, columns }: Pair,
  advance: (rows: number) => void,
): Promise<RowDigest> {
  const digest = new RowDigest();
  // PostgreSQL computes the others.
  const stored = columns.flatMap((column, index) => (column.isGenerated ? [] : [index]));
  const into = stored.map((index) => columns[index] as TargetColumn);
  let batch: { key: string; texts: (string | null)[] }[] = [];
  let size = 0;
  const flush = async () => {
    if (batch.length > 0) await insertBatch(client, table.name, target, into, batch);
    advance(batch.length);
    batch = [];
    size = 0;
  };
  for (const row of rowsOf(source, table)) {
    const texts = textsOf(table, columns, row);
    digest.add(canonicalRow(texts, columns));
    batch.push({ key: row.key, texts: stored.map((index) => texts[index] as string | null) });
    size += texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    if (batch.length >= MAX_ROWS || size >= MAX_CHARACTERS) await flush();
  }
  await flush();
  return digest;
}

function textsOf(
  table: SourceTable,
  columns: readonly TargetColumn[],
  { key, values }: SourceRow,
): (string | null)[] {
  return values.map(({ storage, value }, index) => {
    try {
      return postgresText(storage, value, (columns[index] as TargetColumn).type);
    } catch (error) {
      throw new OperatorError(
        `${table.name}, ${key}: ${table.columns[index]} ${(error as Error).message}; nothing was moved`,
        { cause: error },
      );
    }
  });
}

async function insertBatch(
  client: PoolClient,
  source: string,
  target: string,
  columns: readonly TargetColumn[],
  batch: readonly { key: string; texts: (string | null)[] }[],
): Promise<void> {
  await client.query('SAVEPOINT batch');
  try {
    await insertRows(
      client,
      target,
      columns,
      batch.map(({ texts }) => texts),
    );
  } catch (error) {
    if (!isRejection(error)) throw error;
    await client.query('ROLLBACK TO batch');
    // One by one, to name the row.
    for (const { key, texts } of batch)
      await insertRows(client, target, columns, [texts]).catch((reason: unknown) => {
        if (!isRejection(reason)) throw reason;
        throw new OperatorError(
          `${source}, ${key}: PostgreSQL rejects it: ${(reason as Error).message}; nothing was moved`,
          { cause: reason },
        );
      });
  }
  await client.query('RELEASE batch');
}

/** Whether PostgreSQL rejects the values, or a trigger does: classes 22, 23 and P0. */
function isRejection(error: unknown): boolean {
  return /^(?:22|23|P0)/.test((error as { code?: string }).code ?? '');
}

/** The row in the form in which both databases must have it. */
function canonicalRow(texts: readonly (string | null)[], columns: readonly TargetColumn[]): string {
  return JSON.stringify(
    texts.map((text, index) => text && canonicalText(text, (columns[index] as TargetColumn).type)),
  );
}

/** Reads a table back. Throws an OperatorError that names a row which is not the same in both databases. */
async function compareRows(
  source: SqliteDatabase,
  client: PoolClient,
  { source: table, target, columns }: Pair,
  digest: RowDigest,
  advance: (rows: number) => void,
): Promise<void> {
  const batch = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_CHARACTERS / digest.averageLength)));
  const found = new RowDigest();
  for await (const texts of readRows(client, target, columns, batch)) {
    found.add(canonicalRow(texts, columns));
    advance(1);
  }
  const wrong = digest.differences(found);
  if (wrong.length === 0) return;
  // Only rows of these buckets are kept in memory.
  const there = new Map<string, number>();
  for await (const texts of readRows(client, target, columns, batch)) {
    const row = canonicalRow(texts, columns);
    if (wrong.includes(bucketOf(row))) there.set(row, (there.get(row) ?? 0) + 1);
  }
  for (const row of rowsOf(source, table)) {
    const sent = canonicalRow(textsOf(table, columns, row), columns);
    if (!wrong.includes(bucketOf(sent))) continue;
    const left = there.get(sent) ?? 0;
    if (left === 0)
      throw new OperatorError(
        `${table.name}, ${row.key}: PostgreSQL changed this row: its type there holds less, or a trigger changed it; nothing was moved`,
      );
    there.set(sent, left - 1);
  }
  throw new OperatorError(
    `${table.name}: PostgreSQL has more rows than were copied: a trigger added them; nothing was moved`,
  );
}
