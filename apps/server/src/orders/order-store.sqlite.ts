import { columnNames, batchPerTick, itemOf, jsonSql, type Row } from '@kit/server';
import { beginSqliteImport, retryWhileBusy, type SqliteDatabase } from '@kit/server/sqlite';
import type { Order } from '@petstore/contract';
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
import type { OrderStatus, OrderStore, StoredOrder } from './order-store.ts';

export function createSqliteOrderStore(database: SqliteDatabase): OrderStore {
  const rowsOf = database.prepare<{ after: number; status: OrderStatus | null }, Row>(
    `SELECT ${columnNames(orderTable).join(', ')} FROM orders
     WHERE id > $after AND ($status IS NULL OR status = $status) ORDER BY id LIMIT ${BATCH_SIZE}`,
  );
  const asJson = jsonSql(orderColumns, (column) => `json_quote(${column})`);
  const jsonRowsOf = database
    .prepare<[number], string>(`SELECT ${asJson} FROM orders WHERE id > ? ORDER BY id LIMIT ${BATCH_SIZE}`)
    .pluck();
  const statusOf = database.prepare<[number], OrderStatus>('SELECT status FROM orders WHERE id = ?').pluck();
  const cancel = database.prepare(
    `UPDATE orders SET status = 'cancelled', cancelled_by = ?, cancelled_at = ? WHERE id = ? AND status = 'pending'`,
  );
  const ship = database.prepare(
    `UPDATE orders SET status = 'shipped', ship_date = ? WHERE id = ? AND status = 'pending'`,
  );
  const revision = database.prepare<[], number>('SELECT revision FROM orders_revision').pluck();

  function jsonBatch(after: number): Batch<string> {
    const rows = jsonRowsOf.all(after);
    const { id = 0 } = JSON.parse(rows.at(-1) ?? '{}') as Order;
    return { orders: rows.join(','), count: rows.length, last: id };
  }

  function storedBatch(after: number, status: OrderStatus | null): Batch<StoredOrder[]> {
    const orders = rowsOf.all({ after, status }).map((row) => itemOf(orderTable, row));
    return { orders, count: orders.length, last: orders.at(-1)?.id ?? 0 };
  }

  /** Steps of one turn of the event loop share a transaction: one lock, and one sync to disk if they write. */
  const together = database.transaction((steps: readonly (() => Change)[]) => steps.map((step) => step()));
  const readTogether = batchPerTick((steps: readonly (() => Change)[]) =>
    retryWhileBusy(database, () => together.deferred(steps)),
  );
  const changeTogether = batchPerTick((steps: readonly (() => Change)[]) =>
    retryWhileBusy(database, () => together.immediate(steps)),
  );

  /** Moves a pending order on by `change`, or tells what state it is in instead. */
  async function leavePending(id: bigint, change: (id: number) => number): Promise<Change> {
    const known = issuableId(id);
    if (known === undefined) return undefined;
    // Looking first spares orders that are not pending the write lock. What decides is the condition in the UPDATE; an
    // order never becomes pending again, so what is read after it is final.
    const before = await readTogether(() => statusOf.get(known));
    if (before !== 'pending') return before;
    return changeTogether(() => (change(known) === 1 ? 'made' : statusOf.get(known)));
  }

  return {
    jsonBatches: () => batchesOf((after) => retryWhileBusy(database, () => jsonBatch(after))),
    revision: () => retryWhileBusy(database, () => revision.get() ?? 0),
    storedBatches: (status) =>
      batchesOf((after) => retryWhileBusy(database, () => storedBatch(after, status ?? null))),
    async cancel(id, by, at) {
      const change = await leavePending(id, (known) => cancel.run(by, at.toISOString(), known).changes);
      return outcomeOf(change, 'cancelled');
    },
    async ship(id, at) {
      const change = await leavePending(id, (known) => ship.run(at.toISOString(), known).changes);
      return outcomeOf(change, 'shipped');
    },
    beginImport: () => Promise.resolve(beginSqliteImport(database, orderTable)),
  };
}
