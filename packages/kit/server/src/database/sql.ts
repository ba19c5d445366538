import type { List } from '../http/list.ts';
import type { Table } from './columns.ts';
import type { Import } from './import-port.ts';
import type { ListOptions } from './lists.ts';

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
  /** Rows as a JSON array of `Item`, in the order of a unique key: the body of a response. */
  readonly list: <Item = unknown>(options: ListOptions<NoInfer<Item>>) => List<Item>;
}
