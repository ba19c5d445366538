import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { asSetupError, SetupError } from '../../setup-error.ts';
import type { SqliteDatabase } from './database.ts';
import { schemaOf } from './migrate.ts';

/** The tables that every version of the store has had. */
const ORIGINAL_TABLES = ['orders', 'pets', 'api_keys'];

/**
 * Opens a store that exists, whatever its schema version, as long as this program knows it. Changes nothing in it.
 * Throws a SetupError that says what `file` is instead.
 */
export function openStoreFile(file: string, { readonly = false } = {}): SqliteDatabase {
  const refuse = (reason: string) => new SetupError(`${file} is not a store of petstore: ${reason}`);
  let database: SqliteDatabase | undefined;
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) throw refuse('there is no such file');
    if (!stats.isFile()) throw refuse('it is not a file');
    if (stats.size === 0) throw refuse('it is empty');
    database = new Database(file, { readonly, fileMustExist: true, timeout: 5_000 });
    const tables = tablesOf(database).map(({ name }) => name);
    if (!ORIGINAL_TABLES.every((name) => tables.includes(name)) || schemaOf(database, file).version < 1)
      throw refuse('it is a database of something else');
    return database;
  } catch (error) {
    database?.close();
    throw asSetupError(`cannot read ${file}`, error);
  }
}

export interface StoredTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The tables that a restore has beside those of the store. */
const ASIDE = `(name GLOB '*_restored' OR name GLOB '*_replaced')`;
/** Those that hold nothing of the store's, or that a restore only adds to. */
const OTHERS = `(name GLOB 'sqlite_*' OR name IN ('orders_revision', 'imports', 'audit'))`;

/** Every table that holds something of the store's, with its columns; each has a primary key named `id`. */
export function tablesOf(database: SqliteDatabase): StoredTable[] {
  const columns = database.prepare<[string], string>('SELECT name FROM pragma_table_info(?) ORDER BY cid');
  const names = namesOf(database, `NOT ${ASIDE} AND NOT ${OTHERS}`);
  return names.map((name) => ({ name, columns: columns.pluck().all(name) }));
}

/** The names of the tables that a restore has made and not removed. */
export function tablesAsideIn(database: SqliteDatabase): string[] {
  return namesOf(database, ASIDE);
}

function namesOf(database: SqliteDatabase, condition: string): string[] {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND ${condition} ORDER BY rootpage`;
  return database.prepare<[], string>(sql).pluck().all();
}

/** The highest id that each table has ever issued; its row may be gone. */
export function issuedIds(database: SqliteDatabase): Map<string, number> {
  const rows = database
    .prepare<[], { name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence')
    .all();
  return new Map(rows.map(({ name, seq }) => [name, seq]));
}

/** How many rows each table has. */
export function countRows(database: SqliteDatabase): Map<string, number> {
  const count = (name: string) => Number(database.prepare(`SELECT count(*) FROM ${name}`).pluck().get());
  return new Map(tablesOf(database).map(({ name }) => [name, count(name)]));
}
