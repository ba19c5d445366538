import { columnNames, itemOf, type Columns, type Database, type Row, type Table } from '@kit/server';
import type { Order, OrderStatus, OrderStore, Outcome, StoredOrder } from './order-store.ts';

/** The column of each field of an order. The SQL for orders derives from it. */
export const orderColumns: Columns<Order> = {
  id: { column: 'id', holds: 'integer' },
  petId: { column: 'pet_id', holds: 'integer' },
  quantity: { column: 'quantity', holds: 'integer' },
  shipDate: { column: 'ship_date', holds: 'text' },
  complete: { column: 'complete', holds: 'boolean' },
};

/** Stored orders, with the fields that clients never see. */
export const orderTable: Table<StoredOrder> = {
  name: 'orders',
  columns: { ...orderColumns, status: { column: 'status', holds: 'text' } },
};

/** A batch of orders. */
export const BATCH_SIZE = 1_000;

/** A batch of orders in the wanted form, their number, and the last id. */
export interface Batch<Orders> {
  readonly orders: Orders;
  readonly count: number;
  readonly last: number;
}

/** Reads batches by id until one is not full. */
export async function* batchesOf<Orders>(
  read: (after: number) => Promise<Batch<Orders>>,
): AsyncGenerator<Orders> {
  let batch: Batch<Orders> | undefined;
  do {
    batch = await read(batch?.last ?? 0);
    if (batch.count > 0) yield batch.orders;
  } while (batch.count === BATCH_SIZE);
}

/** The outcome of changing a pending order: done, or the status it has instead. */
export type Change = 'made' | OrderStatus | undefined;

export function outcomeOf<Made extends OrderStatus>(change: Change, made: Made): Outcome<Made> {
  if (change === 'made') return made;
  if (change === undefined) return 'not_found';
  return change === 'shipped' ? 'already_shipped' : 'already_cancelled';
}

/** The id as a number, if the store can have issued it. */
export function issuableId(id: bigint): number | undefined {
  return id >= 1n && id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : undefined;
}

/** Makes `assignments`, with the values from $2 on, of an order that is pending. */
export async function leavePending(
  query: Database['query'],
  id: number,
  assignments: string,
  values: readonly unknown[],
): Promise<Change> {
  const sql = `UPDATE orders SET ${assignments} WHERE id = $1 AND status = 'pending' RETURNING id`;
  const changed = await query(sql, [id, ...values]);
  if (changed.length > 0) return 'made';
  const [order] = await query<{ status: OrderStatus }>('SELECT status FROM orders WHERE id = $1', [id]);
  // One that is pending came only after the first statement.
  return order?.status === 'pending' ? undefined : order?.status;
}

/** What both databases do by the same statements. */
export function sharedStatements({
  query,
  beginImport,
}: Database): Pick<OrderStore, 'storedBatches' | 'ship' | 'beginImport'> {
  const find = `SELECT ${columnNames(orderTable).join(', ')} FROM orders
    WHERE id > $1 AND status = coalesce($2, status) ORDER BY id LIMIT ${BATCH_SIZE}`;
  return {
    storedBatches: (status) =>
      batchesOf(async (after) => {
        const rows = await query<Row>(find, [after, status ?? null]);
        const orders = rows.map((row) => itemOf(orderTable, row));
        return { orders, count: orders.length, last: orders.at(-1)?.id ?? 0 };
      }),
    async ship(id, at) {
      const known = issuableId(id);
      if (known === undefined) return 'not_found';
      const assignments = `status = 'shipped', ship_date = $2`;
      return outcomeOf(await leavePending(query, known, assignments, [at.toISOString()]), 'shipped');
    },
    beginImport: () => beginImport(orderTable),
  };
}
