import type { Table } from './columns.ts';
import type { Import } from './import-port.ts';
import type { Query } from './query.ts';
import type { SqliteDatabase } from './sqlite/database.ts';

/** Either database, for statements that both understand, with the placeholders `$1`, `$2`, … */
export interface Database {
  /** The driver of SQLite, which answers at once; undefined if PostgreSQL is in use. */
  readonly sqlite?: SqliteDatabase;
  readonly query: Query;
  /**
   * Runs `work` in one transaction: commits it, or rolls it back if `work` rejects. Other writing statements wait for it.
   * Throws the errors of `query`.
   */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>;
  readonly beginImport: <Item extends { id?: number }>(table: Table<Item>) => Promise<Import<Item>>;
  /** Selects the elements of a JSON array of strings. */
  readonly elementsOf: (json: string) => string;
  /** Makes an UPDATE skip locked rows. */
  readonly skipLocked: string;
}
