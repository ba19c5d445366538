import { statSync } from 'node:fs';
import { asOperatorError, OperatorError } from '../../operator-error.ts';
import { openSqlite, type SqliteDatabase } from '../../database/sqlite/driver.ts';
import { tablesIn } from '../../database/migrations.ts';
import { schemaOf } from '../../database/sqlite/migrate.ts';
import type { ServiceDefinition } from '../../feature.ts';
import { migrationsOf } from '../open-features.ts';

/** The columns of the audit log without ids, which mean nothing in another store. */
export const AUDIT_COLUMNS = ['at', 'action', 'key_id', 'actor', 'scopes', 'changes'] as const;

export interface Progress {
  start(total: number): void;
  update(done: number): void;
}

/** The rows of each table. */
export type RowCounts = Readonly<Record<string, number>>;

/** Opens a store of any known schema version for reading. Throws an OperatorError if it is not one. */
export function openStoreFile(
  service: ServiceDefinition,
  file: string,
  { readonly = false } = {},
): SqliteDatabase {
  const refuse = (reason: string) =>
    new OperatorError(`${file} is not a store of ${service.contract.name}: ${reason}`);
  let database: SqliteDatabase | undefined;
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) throw refuse('the file does not exist');
    if (!stats.isFile()) throw refuse('it is not a file');
    if (stats.size === 0) throw refuse('it is empty');
    database = openSqlite(file, { readonly });
    if (schemaOf(database, migrationsOf(service), file).rows.length === 0) throw refuse('it has no tables');
    return database;
  } catch (error) {
    database?.close();
    throw asOperatorError(`cannot read ${file}`, error);
  }
}

/** The names of all tables that migrations made. */
function tableNamesOf(service: ServiceDefinition, database: SqliteDatabase): string[] {
  return tablesIn(schemaOf(database, migrationsOf(service)).rows);
}

export function countRows(service: ServiceDefinition, database: SqliteDatabase): RowCounts {
  const count = (name: string) => {
    const sql = `SELECT count(*) AS count FROM "${name.replaceAll('"', '""')}"`;
    return database.prepare<{ count: number }>(sql).get()?.count ?? 0;
  };
  return Object.fromEntries(tableNamesOf(service, database).map((name) => [name, count(name)]));
}
