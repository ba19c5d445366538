import { createLists } from './lists.ts';
import type { Database, Query } from './sql.ts';

/** `database` inside one of its transactions, whose statements `query` runs. */
export function inTransaction({ engine }: Database, query: Query): Database {
  return {
    engine,
    query,
    // A part of the same transaction.
    transaction: (work) => work(query),
    beginImport: () => Promise.reject(new Error('an import cannot be part of another transaction')),
    list: createLists({ engine, query, together: (ask) => ask }),
  };
}
