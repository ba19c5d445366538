import type { Table } from './columns.ts';
import type { Import } from './import-port.ts';
import type { Query } from './query.ts';
import type { SqliteDatabase } from './sqlite/database.ts';

/** Either database, by statements that both understand: `$1` and so on stand for the values. */
export interface Database {
  /** The driver of SQLite, which answers at once; undefined if PostgreSQL is in use. */
  readonly sqlite?: SqliteDatabase;
  readonly query: Query;
  /**
   * Runs `work` in one transaction, which it commits at the end and undoes where `work` rejects. The statements of others
   * wait for it if they write. Throws what `query` throws.
   */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>;
  readonly beginImport: <Item extends { id?: number }>(table: Table<Item>) => Promise<Import<Item>>;
  /** The query of the elements of a JSON array of texts. */
  readonly elementsOf: (json: string) => string;
  /** What has an UPDATE leave out the rows that another is at. */
  readonly skipLocked: string;
}
