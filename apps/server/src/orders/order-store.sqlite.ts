import type { Order } from '@petstore/contract';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { reachIn, visibleIn } from '../database/sqlite/import-ranges.ts';
import { beginSqliteImport } from '../database/sqlite/import.ts';
import type { SqliteDatabase } from '../database/sqlite/database.ts';
import { retryWhileBusy } from '../database/sqlite/retry.ts';
import { groupCommit } from '../database/sqlite/group-commit.ts';
import {
  BATCH_SIZE,
  batchesOf,
  importedOrders,
  issuableId,
  orderAsJson,
  orderColumns,
  outcomeOf,
  storedBatchOf,
  type Batch,
  type Change,
  type OrderRow,
} from './order-row.ts';
import type { OrderStatus, OrderStore } from './order-store.ts';

const VISIBLE = visibleIn('orders');

/** The ids that a batch is read from: above `after`, up to `until`. */
interface Reach {
  readonly after: number;
  readonly until: number;
}

export function createSqliteOrderStore(database: SqliteDatabase): OrderStore {
  const BATCH = `FROM orders WHERE id > $after AND id <= $until AND ${VISIBLE}`;
  const rowsOf = database.prepare<Reach & { status: OrderStatus | null }, OrderRow>(
    `SELECT ${orderColumns} ${BATCH} AND ($status IS NULL OR status = $status) ORDER BY id LIMIT ${BATCH_SIZE}`,
  );
  const jsonRowsOf = database
    .prepare<Reach, string>(
      `SELECT ${orderAsJson((column) => `json_quote(${column})`)} ${BATCH} ORDER BY id LIMIT ${BATCH_SIZE}`,
    )
    .pluck();
  const reachDuringImport = database.prepare<[number], { until: number; next: number }>(
    reachIn('orders', BATCH_SIZE),
  );
  const statusOf = database
    .prepare<[number], OrderStatus>(`SELECT status FROM orders WHERE id = ? AND ${VISIBLE}`)
    .pluck();
  const cancel = database.prepare(
    `UPDATE orders SET status = 'cancelled', cancelled_by = ?, cancelled_at = ? WHERE id = ? AND status = 'pending'`,
  );
  const ship = database.prepare(
    `UPDATE orders SET status = 'shipped', ship_date = ? WHERE id = ? AND status = 'pending'`,
  );
  const revision = database.prepare<[], number>('SELECT revision FROM orders_revision').pluck();
  const restores = database.prepare<[], number>('SELECT restores FROM orders_revision').pluck();

  function jsonBatch(reach: Reach): Batch<string> {
    const rows = jsonRowsOf.all(reach);
    const { id = 0 } = JSON.parse(rows.at(-1) ?? '{}') as Order;
    return { orders: rows.join(','), count: rows.length, last: id };
  }

  /** Reads batches of one content: where a restore comes in between, the list fails, and is never a mixture. */
  function consistently<Orders>(read: (reach: Reach) => Batch<Orders>) {
    let restoresBefore: number | undefined;
    const readBatch = database.transaction((after: number) => {
      const found = restores.get();
      if (found !== (restoresBefore ??= found))
        throw new StoreUnavailable(new Error('the store was restored while the list was read'));
      const { until, next } = reachDuringImport.get(after) ?? { until: Number.MAX_SAFE_INTEGER };
      return { ...read({ after, until }), next };
    });
    return (after: number) => retryWhileBusy(database, () => readBatch(after));
  }

  const readInGroup = groupCommit(database, 'deferred');
  const changeInGroup = groupCommit(database, 'immediate');

  /** Moves a pending order on by `change`, or tells what state it is in instead. */
  async function leavePending(id: bigint, change: (id: number) => number): Promise<Change> {
    const known = issuableId(id);
    if (known === undefined) return undefined;
    // Looking first spares orders that are not pending the write lock. What decides is the condition in the UPDATE; an
    // order never becomes pending again, so what is read after it is final.
    const before = await readInGroup(() => statusOf.get(known));
    if (before !== 'pending') return before;
    return changeInGroup(() => (change(known) === 1 ? 'made' : statusOf.get(known)));
  }

  return {
    jsonBatches: () => batchesOf(consistently(jsonBatch)),
    revision: () => retryWhileBusy(database, () => revision.get() ?? 0),
    storedBatches: (status) =>
      batchesOf(consistently((reach) => storedBatchOf(rowsOf.all({ ...reach, status: status ?? null })))),
    async cancel(id, by, at) {
      const change = await leavePending(id, (known) => cancel.run(by, at.toISOString(), known).changes);
      return outcomeOf(change, 'cancelled');
    },
    async ship(id, at) {
      const change = await leavePending(id, (known) => ship.run(at.toISOString(), known).changes);
      return outcomeOf(change, 'shipped');
    },
    beginImport: () => Promise.resolve(beginSqliteImport(database, importedOrders)),
  };
}
