import type { PostgresDatabase } from '../database/postgres/database.ts';
import { columnNames, itemOf, jsonSql, type Row } from '../database/columns.ts';
import { beginPostgresImport } from '../database/postgres/import.ts';
import {
  BATCH_SIZE,
  batchesOf,
  issuableId,
  orderColumns,
  orderTable,
  outcomeOf,
  type Batch,
  type Change,
} from './order-row.ts';
import { orderStatuses, type OrderStatus, type OrderStore, type StoredOrder } from './order-store.ts';

export function createPostgresOrderStore(database: PostgresDatabase): OrderStore {
  const asJson = jsonSql(orderColumns, (column) => `to_json(${column})`);

  async function jsonBatch(after: number): Promise<Batch<string>> {
    const [row] = await database.query<Batch<string>>(
      'order-json-batch',
      `SELECT string_agg(${asJson}, ',' ORDER BY id) AS orders, count(*) AS count, max(id) AS last
       FROM (SELECT * FROM orders WHERE id > $1 ORDER BY id LIMIT ${BATCH_SIZE}) AS batch`,
      [after],
    );
    return row as Batch<string>;
  }

  async function storedBatch(after: number, statuses: readonly OrderStatus[]): Promise<Batch<StoredOrder[]>> {
    const rows = await database.query<Row>(
      'order-batch',
      `SELECT ${columnNames(orderTable).join(', ')} FROM orders
       WHERE id > $1 AND status = ANY ($2) ORDER BY id LIMIT ${BATCH_SIZE}`,
      [after, statuses],
    );
    const orders = rows.map((row) => itemOf(orderTable, row));
    return { orders, count: orders.length, last: orders.at(-1)?.id ?? 0 };
  }

  /** Moves a pending order on by what `assignments` set from $2 on, or tells what state it is in instead. */
  async function leavePending(
    name: string,
    assignments: string,
    id: bigint,
    values: readonly unknown[],
  ): Promise<Change> {
    const known = issuableId(id);
    if (known === undefined) return undefined;
    const [changed] = await database.query<{ made: boolean; status: OrderStatus | null }>(
      name,
      `WITH changed AS (
         UPDATE orders SET ${assignments} WHERE id = $1 AND status = 'pending' RETURNING id
       )
       SELECT EXISTS (SELECT FROM changed) AS made, (SELECT status FROM orders WHERE id = $1) AS status`,
      [known, ...values],
    );
    if (changed?.made) return 'made';
    if (changed?.status !== 'pending') return changed?.status ?? undefined;
    // Somebody else moved it on between the statement's snapshot and its turn at the row. That is committed now.
    const [after] = await database.query<{ status: OrderStatus }>(
      'order-status',
      'SELECT status FROM orders WHERE id = $1',
      [known],
    );
    return after?.status;
  }

  return {
    jsonBatches: () => batchesOf(jsonBatch),
    async revision() {
      // With the server that says so: a standby that takes over may not have the last changes, and counts on from less.
      const [row] = await database.query<{ revision: string }>(
        'orders-revision',
        `SELECT concat(revision, ' ', pg_postmaster_start_time()) AS revision FROM orders_revision`,
      );
      return row?.revision ?? 0;
    },
    storedBatches: (status) => batchesOf((after) => storedBatch(after, status ? [status] : orderStatuses)),
    async cancel(id, by, at) {
      const assignments = `status = 'cancelled', cancelled_by = $2, cancelled_at = $3`;
      return outcomeOf(
        await leavePending('order-cancel', assignments, id, [by, at.toISOString()]),
        'cancelled',
      );
    },
    async ship(id, at) {
      const assignments = `status = 'shipped', ship_date = $2`;
      return outcomeOf(await leavePending('order-ship', assignments, id, [at.toISOString()]), 'shipped');
    },
    beginImport: () => beginPostgresImport(database, orderTable),
  };
}
