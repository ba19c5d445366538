import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { asSetupError, SetupError } from '../../setup-error.ts';
import type { SqliteDatabase } from '../../database/sqlite/database.ts';
import { schemaOf } from '../../database/sqlite/migrate.ts';
import { storeTables } from '../tables.ts';

/** Opens a store of any known schema version, and changes nothing. Throws a SetupError if it is none. */
export function openStoreFile(file: string, { readonly = false } = {}): SqliteDatabase {
  const refuse = (reason: string) => new SetupError(`${file} is not a store of petstore: ${reason}`);
  let database: SqliteDatabase | undefined;
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) throw refuse('there is no such file');
    if (!stats.isFile()) throw refuse('it is not a file');
    if (stats.size === 0) throw refuse('it is empty');
    database = new Database(file, { readonly, fileMustExist: true, timeout: 5_000 });
    const isStore = tablesOf(database).every(({ columns }) => columns.length > 0);
    if (!isStore || schemaOf(database, file).version < 1) throw refuse('it is a database of something else');
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

/** The tables of the store, with the columns that this one has. */
export function tablesOf(database: SqliteDatabase): StoredTable[] {
  const columns = database.prepare<[string], string>('SELECT name FROM pragma_table_info(?) ORDER BY cid');
  return storeTables.map(({ name }) => ({ name, columns: columns.pluck().all(name) }));
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
  return new Map(storeTables.map(({ name }) => [name, count(name)]));
}
