import type { Table } from './columns.ts';
import type { Import } from './import-port.ts';
import type { SqliteDatabase } from './sqlite/database.ts';

/** Runs a statement, prepared once per connection. Throws ConstraintError and StoreUnavailable. */
export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Either database, for statements that both understand, with the placeholders `$1`, `$2`, … */
export interface Database {
  /** The driver of SQLite, which answers at once; undefined if PostgreSQL is in use. */
  readonly sqlite?: SqliteDatabase;
  readonly query: Query;
  /** Runs `work` in one transaction, rolled back if it rejects. Other writing statements wait for it. */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>;
  readonly beginImport: <Item extends { id?: number }>(table: Table<Item>) => Promise<Import<Item>>;
  /** Selects the elements of a JSON array of strings. */
  readonly elementsOf: (json: string) => string;
  readonly skipLocked: string;
}
