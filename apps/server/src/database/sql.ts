import type { Import, ImportTarget } from './import.ts';

/** Either database, by statements that both understand: `$1` and so on stand for the values. */
export interface SqlDatabase {
  /** Runs a statement that is prepared once, per connection, under `name`. Throws StoreUnavailable. */
  readonly query: <Row extends object>(
    name: string,
    sql: string,
    values?: readonly unknown[],
  ) => Promise<Row[]>;
  readonly beginImport: <Item extends { id?: number; line: number }>(
    target: ImportTarget<Item>,
  ) => Promise<Import<Item>>;
  /** The condition that leaves out what an import under way has written to a table so far. */
  readonly visibleIn: (table: string) => string;
  /** The query of the elements of a JSON array of texts. */
  readonly elementsOf: (json: string) => string;
  /** What has an UPDATE leave out the rows that another is at. */
  readonly skipLocked: string;
}
