import type { PoolClient } from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { IMPORT_LOCK } from '../../database/postgres/postgres-import.ts';
import type { StoredTable } from './store-file.ts';

/** A row with every value as text or null. Both engines read it the same way. */
export type TextRow = readonly (string | null)[];

const LOCK_NOT_AVAILABLE = '55P03';

/** Locks the tables for writing until the transaction ends. Throws an OperatorError unless all are empty. */
export async function lockEmptyTables(client: PoolClient, tables: readonly StoredTable[]): Promise<void> {
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

export async function writeRows(
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
