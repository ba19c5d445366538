import { columnNames, type Table } from './columns.ts';

/** An id of the file that the store already has. */
export interface ImportConflict {
  readonly line: number;
  readonly id: number;
}

/** An item to import, with its line in the file. The store issues an id if it has none. */
export type Imported<Item> = Item & { readonly line: number };

/** A running import: it stages everything, then commits all of it or nothing. */
export interface Import<Item> {
  stage(items: readonly Imported<Item>[]): Promise<void>;
  /**
   * Stores all and returns [], or stores nothing and returns every conflict. Calls `deciding` before a commit
   * whose outcome may stay unknown.
   */
  commit(deciding?: () => void): Promise<ImportConflict[]>;
  abandon(): Promise<void>;
}

/** The statements that move an import out of the temporary table `staged`, in either database. */
export function importSql<Item>(table: Table<Item>) {
  const [all, others] = [columnNames(table), columnNames(table).slice(1)].map((names) => names.join(', '));
  return {
    conflicts: `SELECT line, id FROM staged WHERE id IN (SELECT id FROM ${table.name}) ORDER BY line`,
    // By id, so that inserts are sequential.
    insertNumbered: `INSERT INTO ${table.name} (${all}) SELECT ${all} FROM staged WHERE id IS NOT NULL ORDER BY id`,
    insertOthers: `INSERT INTO ${table.name} (${others}) SELECT ${others} FROM staged WHERE id IS NULL ORDER BY line`,
  };
}
