import type { Table } from './columns.ts';
import type { Import } from './import.ts';

/** Either database, by statements that both understand: `$1` and so on stand for the values. */
export interface SqlDatabase {
  /** Runs a statement that is prepared once, per connection, under `name`. Throws StoreUnavailable. */
  readonly query: <Row extends object>(
    name: string,
    sql: string,
    values?: readonly unknown[],
  ) => Promise<Row[]>;
  readonly beginImport: <Item extends { id?: number }>(table: Table<Item>) => Promise<Import<Item>>;
  /** The query of the elements of a JSON array of texts. */
  readonly elementsOf: (json: string) => string;
  /** What has an UPDATE leave out the rows that another is at. */
  readonly skipLocked: string;
}
