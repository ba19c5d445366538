import type { Order } from '@petstore/contract';
import { beginSqliteImport } from '../storage/sqlite/import.ts';
import type { SqliteDatabase } from '../storage/sqlite/database.ts';
import { retryWhileBusy } from '../storage/sqlite/retry.ts';
import type { OrderStatus, OrderStore, OrderToImport, StoredOrder } from './order-store.ts';

const PAGE_SIZE = 1_000;

interface OrderRow {
  id: number;
  pet_id: number | null;
  quantity: number | null;
  ship_date: string | null;
  complete: number | null;
  status: OrderStatus;
}

export function createSqliteOrderStore(database: SqliteDatabase): OrderStore {
  const columns = 'id, pet_id, quantity, ship_date, complete, status';
  const page = database.prepare<[number, number], OrderRow>(
    `SELECT ${columns} FROM orders WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const pageOfStatus = database.prepare<[number, string, number], OrderRow>(
    `SELECT ${columns} FROM orders WHERE id > ? AND status = ? ORDER BY id LIMIT ?`,
  );
  const statusOf = database.prepare<[number], OrderStatus>('SELECT status FROM orders WHERE id = ?').pluck();
  const cancel = database.prepare(
    `UPDATE orders SET status = 'cancelled', cancelled_by = ?, cancelled_at = ? WHERE id = ? AND status = 'pending'`,
  );
  const ship = database.prepare(
    `UPDATE orders SET status = 'shipped', ship_date = ? WHERE id = ? AND status = 'pending'`,
  );
  const any = database.prepare('SELECT 1 FROM orders LIMIT 1');

  async function* pagesOf<Item>(
    read: (after: number) => OrderRow[],
    item: (row: OrderRow) => Item,
  ): AsyncGenerator<Item[]> {
    for (let after = 0; ;) {
      const rows = await retryWhileBusy(() => read(after));
      const last = rows.at(-1);
      if (!last) return;
      yield rows.map(item);
      if (rows.length < PAGE_SIZE) return;
      after = last.id;
    }
  }

  /** Moves a pending order on by `change`, or tells what state it is in instead. */
  async function leavePending(
    id: bigint,
    change: (id: number) => number,
  ): Promise<OrderStatus | 'done' | 'not_found'> {
    if (id < 1n || id > BigInt(Number.MAX_SAFE_INTEGER)) return 'not_found';
    const known = Number(id);
    return retryWhileBusy(() => {
      // Looking first spares orders that are not pending the write lock. What decides is the condition in the
      // UPDATE; an order never becomes pending again, so what is read after it is final.
      const before = statusOf.get(known);
      if (before !== 'pending') return before ?? 'not_found';
      return change(known) === 1 ? 'done' : (statusOf.get(known) ?? 'not_found');
    });
  }

  return {
    pages: () => pagesOf((after) => page.all(after, PAGE_SIZE), orderOf),
    storedPages: (status) =>
      pagesOf(
        (after) => (status ? pageOfStatus.all(after, status, PAGE_SIZE) : page.all(after, PAGE_SIZE)),
        (row): StoredOrder => ({ ...orderOf(row), status: row.status }),
      ),
    async cancel(id, by, at) {
      const outcome = await leavePending(id, (known) => cancel.run(by, at.toISOString(), known).changes);
      if (outcome === 'done') return 'cancelled';
      if (outcome === 'not_found') return outcome;
      return outcome === 'shipped' ? 'already_shipped' : 'already_cancelled';
    },
    async ship(id, at) {
      const outcome = await leavePending(id, (known) => ship.run(at.toISOString(), known).changes);
      if (outcome === 'done') return 'shipped';
      if (outcome === 'not_found') return outcome;
      return outcome === 'shipped' ? 'already_shipped' : 'already_cancelled';
    },
    isEmpty: () => retryWhileBusy(() => any.get() === undefined),
    beginImport: () =>
      Promise.resolve(
        beginSqliteImport<OrderToImport>(database, {
          table: 'orders',
          columns: {
            pet_id: (order) => order.petId ?? null,
            quantity: (order) => order.quantity ?? null,
            ship_date: (order) => order.shipDate ?? null,
            complete: (order) => (order.complete === undefined ? null : Number(order.complete)),
            status: (order) => order.status,
          },
        }),
      ),
  };
}

function orderOf(row: OrderRow): Order {
  const order: Order = { id: row.id };
  if (row.pet_id !== null) order.petId = row.pet_id;
  if (row.quantity !== null) order.quantity = row.quantity;
  if (row.ship_date !== null) order.shipDate = row.ship_date;
  if (row.complete !== null) order.complete = row.complete === 1;
  return order;
}
