import type { List } from '../http/list.ts';
import type { Columns, Table } from './columns.ts';
import type { Import } from './import-port.ts';

/** Runs a statement, prepared once per connection. Throws ConstraintError and StoreUnavailable. */
export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface ListOptions<Item> {
  readonly table: string;
  /** The fields of an element. A null column is an absent field. */
  readonly columns: Columns<Item>;
  /** Which rows, such as `{ sql: 'shelf = $1', values: [3] }`; all of them by default. */
  readonly where?: { readonly sql: string; readonly values: readonly unknown[] };
  /** The columns of a unique key without nulls, which give the order; by default the first of `columns`. */
  readonly key?: readonly string[];
  /**
   * A table of one row whose column `revision` changes with every commit that changes the list. With it a list of at most
   * 8 MB is cached: create it once, not in each request.
   */
  readonly revision?: string;
}

/** Either database, for statements that both understand, with the placeholders `$1`, `$2`, … */
export interface Database {
  /** For statements that differ. */
  readonly engine: 'sqlite' | 'postgres';
  readonly query: Query;
  /**
   * Runs `work` in one transaction, rolled back if it rejects. In SQLite other writing statements wait for it, for at most
   * 2 s. In PostgreSQL (read committed) others run at the same time, so a row that it reads may have changed before it
   * writes: put the condition into the UPDATE, or read with `FOR UPDATE`. A failed statement ends it in PostgreSQL, so
   * catch a ConstraintError outside.
   */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>;
  readonly beginImport: <Item extends { id?: number }>(table: Table<Item>) => Promise<Import<Item>>;
  /** Rows as a JSON array of `Item`, in the order of a unique key: the body of a response. */
  readonly list: <Item = unknown>(options: ListOptions<NoInfer<Item>>) => List<Item>;
}
