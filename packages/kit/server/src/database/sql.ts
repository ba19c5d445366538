import type { Table } from './columns.ts';
import type { Import } from './import-port.ts';

/** Runs a statement, prepared once per connection. Throws ConstraintError and StoreUnavailable. */
export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Either database, for statements that both understand, with the placeholders `$1`, `$2`, … */
export interface Database {
  /** For statements that differ. */
  readonly engine: 'sqlite' | 'postgres';
  readonly query: Query;
  /** Runs `work` in one transaction, rolled back if it rejects. Other writing statements wait for it. */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>;
  readonly beginImport: <Item extends { id?: number }>(table: Table<Item>) => Promise<Import<Item>>;
  /** The end of a query that locks its rows, except those that others have locked. */
  readonly skipLocked: string;
}
