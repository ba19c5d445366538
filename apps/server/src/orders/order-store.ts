import type { Database, Import } from '@contract-kit/server';
import { orderColumns, orderTable, type Order, type OrderStatus, type StoredOrder } from './order-row.ts';

/** What became of an order that only a pending one allows: its status now, and whether this call changed it. */
export interface Change {
  /** Undefined if there is no such order. */
  readonly status: OrderStatus | undefined;
  readonly changed: boolean;
}

const CANCEL = `UPDATE orders SET status = 'cancelled', cancelled_by = $2, cancelled_at = $3
  WHERE id = $1 AND status = 'pending' RETURNING status`;
const SHIP = `UPDATE orders SET status = 'shipped', ship_date = $2
  WHERE id = $1 AND status = 'pending' RETURNING status`;

export type OrderStore = ReturnType<typeof createOrderStore>;

/** Stores orders. Every method throws StoreUnavailable while the database fails. */
export function createOrderStore({ engine, query, list, beginImport }: Database) {
  async function statusOf(id: bigint): Promise<OrderStatus | undefined> {
    const [order] = await query<StoredOrder>('SELECT status FROM orders WHERE id = $1', [String(id)]);
    return order?.status;
  }

  /** Runs `update` with the id and `values` if the order is pending. */
  async function changePending(update: string, id: bigint, ...values: string[]): Promise<Change> {
    // SQLite has one write lock: looking first spares it an order that is not pending.
    const seen = engine === 'sqlite' ? await statusOf(id) : 'pending';
    if (seen !== 'pending') return { status: seen, changed: false };
    const [order] = await query<StoredOrder>(update, [String(id), ...values]);
    return order ? { status: order.status, changed: true } : { status: await statusOf(id), changed: false };
  }

  return {
    /** Every order as clients see it, by ascending id. */
    shown: list<Order>({ table: 'orders', columns: orderColumns, revision: 'orders_revision' }),

    /** Every order with its status, by ascending id, or only those of one status. */
    stored: (status?: OrderStatus) =>
      list<StoredOrder>({
        table: 'orders',
        columns: orderTable.columns,
        ...(status && { where: { sql: 'status = $1', values: [status] } }),
      }).items(),

    /** Cancels the order if it is pending, and records the key and the time. */
    cancel: (id: bigint, by: string, at: Date) => changePending(CANCEL, id, by, at.toISOString()),

    /** Ships the order if it is pending: its ship date becomes `at`. */
    ship: (id: bigint, at: Date) => changePending(SHIP, id, at.toISOString()),

    beginImport: (): Promise<Import<StoredOrder>> => beginImport(orderTable),
  };
}
