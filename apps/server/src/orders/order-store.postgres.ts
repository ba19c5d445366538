import type { PostgresDatabase } from '../database/postgres/database.ts';
import { beginPostgresImport } from '../database/postgres/import.ts';
import {
  cancelOutcome,
  importedColumns,
  issuableId,
  jsonPagesOf,
  orderAsJson,
  orderColumns,
  orderOf,
  PAGE_SIZE,
  pagesOf,
  shipOutcome,
  storedOrderOf,
  type Departure,
  type JsonPage,
  type OrderRow,
} from './order-row.ts';
import type { OrderStatus, OrderStore, OrderToImport } from './order-store.ts';

const ANY_STATUS: readonly OrderStatus[] = ['pending', 'shipped', 'cancelled'];

export function createPostgresOrderStore(database: PostgresDatabase): OrderStore {
  const page = (after: number, statuses: readonly OrderStatus[]) =>
    database.query<OrderRow>(
      'order-page',
      `SELECT ${orderColumns} FROM orders WHERE id > $1 AND status = ANY ($2) ORDER BY id LIMIT ${PAGE_SIZE}`,
      [after, statuses],
    );

  async function jsonPage(after: number): Promise<JsonPage | undefined> {
    const [row] = await database.query<JsonPage>(
      'order-json-page',
      `SELECT string_agg(${orderAsJson((column) => `to_json(${column})`)}, ',' ORDER BY id) AS orders,
              count(*) AS count, max(id) AS last
       FROM (SELECT * FROM orders WHERE id > $1 ORDER BY id LIMIT ${PAGE_SIZE}) AS page`,
      [after],
    );
    return row;
  }

  /** Moves a pending order on by what `assignments` set from $2 on, or tells what state it is in instead. */
  async function leavePending(
    name: string,
    assignments: string,
    id: bigint,
    values: readonly unknown[],
  ): Promise<Departure> {
    const known = issuableId(id);
    if (known === undefined) return 'not_found';
    const [changed] = await database.query<{ done: boolean; status: OrderStatus | null }>(
      name,
      `WITH changed AS (
         UPDATE orders SET ${assignments} WHERE id = $1 AND status = 'pending' RETURNING id
       )
       SELECT EXISTS (SELECT FROM changed) AS done, (SELECT status FROM orders WHERE id = $1) AS status`,
      [known, ...values],
    );
    if (changed?.done) return 'done';
    if (changed?.status !== 'pending') return changed?.status ?? 'not_found';
    // Somebody else moved it on between the statement's snapshot and its turn at the row. That is committed now.
    const [after] = await database.query<{ status: OrderStatus }>(
      'order-status',
      'SELECT status FROM orders WHERE id = $1',
      [known],
    );
    return after?.status ?? 'not_found';
  }

  return {
    pages: () => pagesOf((after) => page(after, ANY_STATUS), orderOf),
    jsonPages: () => jsonPagesOf(jsonPage),
    async revision() {
      const [row] = await database.query<{ revision: number }>(
        'orders-revision',
        'SELECT revision FROM orders_revision',
      );
      return row?.revision ?? 0;
    },
    storedPages: (status) => pagesOf((after) => page(after, status ? [status] : ANY_STATUS), storedOrderOf),
    async cancel(id, by, at) {
      const assignments = `status = 'cancelled', cancelled_by = $2, cancelled_at = $3`;
      return cancelOutcome(await leavePending('order-cancel', assignments, id, [by, at.toISOString()]));
    },
    async ship(id, at) {
      const assignments = `status = 'shipped', ship_date = $2`;
      return shipOutcome(await leavePending('order-ship', assignments, id, [at.toISOString()]));
    },
    async isEmpty() {
      return (await database.query('order-any', 'SELECT 1 FROM orders LIMIT 1')).length === 0;
    },
    beginImport: () =>
      beginPostgresImport<OrderToImport>(database, { table: 'orders', columns: importedColumns }),
  };
}
