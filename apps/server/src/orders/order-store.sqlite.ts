import { batchPerTick, jsonSql, type Database } from '@kit/server';
import { retryWhileBusy, type SqliteDatabase } from '@kit/server/sqlite';
import {
  BATCH_SIZE,
  batchesOf,
  issuableId,
  orderColumns,
  outcomeOf,
  sharedStatements,
  type Batch,
  type Change,
} from './order-row.ts';
import type { Order, OrderStatus, OrderStore } from './order-store.ts';

export function createSqliteOrderStore(shared: Database, database: SqliteDatabase): OrderStore {
  const asJson = jsonSql(orderColumns, (column) => `json_quote(${column})`);
  const jsonRowsOf = database
    .prepare<[number], string>(`SELECT ${asJson} FROM orders WHERE id > ? ORDER BY id LIMIT ${BATCH_SIZE}`)
    .pluck();
  const statusOf = database.prepare<[number], OrderStatus>('SELECT status FROM orders WHERE id = ?').pluck();
  const cancel = database.prepare(
    `UPDATE orders SET status = 'cancelled', cancelled_by = ?, cancelled_at = ? WHERE id = ? AND status = 'pending'`,
  );
  const revision = database.prepare<[], number>('SELECT revision FROM orders_revision').pluck();

  function jsonBatch(after: number): Batch<string> {
    const rows = jsonRowsOf.all(after);
    const { id = 0 } = JSON.parse(rows.at(-1) ?? '{}') as Order;
    return { orders: rows.join(','), count: rows.length, last: id };
  }

  /** The changes of one turn of the event loop share a transaction: one lock and one sync. */
  const together = database.transaction((steps: readonly (() => Change)[]) => steps.map((step) => step()));
  const readTogether = batchPerTick((steps: readonly (() => Change)[]) =>
    retryWhileBusy(database, () => together.deferred(steps)),
  );
  const changeTogether = batchPerTick((steps: readonly (() => Change)[]) =>
    retryWhileBusy(database, () => together.immediate(steps)),
  );

  return {
    ...sharedStatements(shared),
    jsonBatches: () => batchesOf((after) => retryWhileBusy(database, () => jsonBatch(after))),
    revision: () => retryWhileBusy(database, () => revision.get() ?? 0),
    async cancel(id, by, at) {
      const known = issuableId(id);
      if (known === undefined) return 'not_found';
      // Looking first spares orders that are not pending the write lock. What decides is the condition in the UPDATE; an
      // order never becomes pending again, so what is read after it is final.
      const before = await readTogether(() => statusOf.get(known));
      if (before !== 'pending') return outcomeOf(before, 'cancelled');
      const change = await changeTogether(() =>
        cancel.run(by, at.toISOString(), known).changes === 1 ? 'made' : statusOf.get(known),
      );
      return outcomeOf(change, 'cancelled');
    },
  };
}
