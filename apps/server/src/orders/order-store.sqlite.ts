import type { Order } from '@petstore/contract';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { beginSqliteImport } from '../database/sqlite/import.ts';
import type { SqliteDatabase } from '../database/sqlite/database.ts';
import { retryWhileBusy } from '../database/sqlite/retry.ts';
import { groupCommit } from '../database/sqlite/group-commit.ts';
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

export function createSqliteOrderStore(database: SqliteDatabase): OrderStore {
  const page = database.prepare<[number, number], OrderRow>(
    `SELECT ${orderColumns} FROM orders WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const jsonRows = database
    .prepare<[number, number], string>(
      `SELECT ${orderAsJson((column) => `json_quote(${column})`)} FROM orders WHERE id > ? ORDER BY id LIMIT ?`,
    )
    .pluck();
  const pageOfStatus = database.prepare<[number, string, number], OrderRow>(
    `SELECT ${orderColumns} FROM orders WHERE id > ? AND status = ? ORDER BY id LIMIT ?`,
  );
  const statusOf = database.prepare<[number], OrderStatus>('SELECT status FROM orders WHERE id = ?').pluck();
  const cancel = database.prepare(
    `UPDATE orders SET status = 'cancelled', cancelled_by = ?, cancelled_at = ? WHERE id = ? AND status = 'pending'`,
  );
  const ship = database.prepare(
    `UPDATE orders SET status = 'shipped', ship_date = ? WHERE id = ? AND status = 'pending'`,
  );
  const any = database.prepare('SELECT 1 FROM orders LIMIT 1');
  const dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
  const contentVersion = database.prepare<[], number>('PRAGMA schema_version').pluck();

  function jsonPage(after: number): JsonPage {
    const rows = jsonRows.all(after, PAGE_SIZE);
    const last = rows.at(-1);
    return {
      orders: rows.join(','),
      count: rows.length,
      last: last === undefined ? after : ((JSON.parse(last) as Order).id ?? after),
    };
  }

  /** Reads pages of one content: where a restore comes in between, the list fails, and is never a mixture. */
  function consistently<Page>(read: (after: number) => Page): (after: number) => Promise<Page> {
    let version: number | undefined;
    return (after) =>
      retryWhileBusy(() => {
        version ??= contentVersion.get();
        const page = read(after);
        if (after > 0 && contentVersion.get() !== version)
          throw new StoreUnavailable(new Error('the store was restored while the list was read'));
        return page;
      });
  }

  const readTogether = groupCommit(database, 'deferred');
  const changeTogether = groupCommit(database, 'immediate');

  /** Moves a pending order on by `change`, or tells what state it is in instead. */
  async function leavePending(id: bigint, change: (id: number) => number): Promise<Departure> {
    const known = issuableId(id);
    if (known === undefined) return 'not_found';
    // Looking first spares orders that are not pending the write lock. What decides is the condition in the UPDATE; an
    // order never becomes pending again, so what is read after it is final.
    const before = await readTogether(() => statusOf.get(known));
    if (before !== 'pending') return before ?? 'not_found';
    return changeTogether(() => (change(known) === 1 ? 'done' : (statusOf.get(known) ?? 'not_found')));
  }

  /** Another connection's commits change SQLite's data_version; those of this one are counted here. */
  let version: number | undefined;
  let revision = 0;
  const currentRevision = () => {
    const current = dataVersion.get();
    if (current !== version) revision += 1;
    version = current;
    return revision;
  };

  return {
    pages: () =>
      pagesOf(
        consistently((after) => page.all(after, PAGE_SIZE)),
        orderOf,
      ),
    jsonPages: () => jsonPagesOf(consistently(jsonPage)),
    revision: () => retryWhileBusy(currentRevision),
    storedPages: (status) =>
      pagesOf(
        consistently((after) =>
          status ? pageOfStatus.all(after, status, PAGE_SIZE) : page.all(after, PAGE_SIZE),
        ),
        storedOrderOf,
      ),
    async cancel(id, by, at) {
      return cancelOutcome(
        await leavePending(id, (known) => cancel.run(by, at.toISOString(), known).changes),
      );
    },
    async ship(id, at) {
      const change = (known: number) => {
        revision += 1;
        return ship.run(at.toISOString(), known).changes;
      };
      return shipOutcome(await leavePending(id, change));
    },
    isEmpty: () => retryWhileBusy(() => any.get() === undefined),
    beginImport() {
      const underway = beginSqliteImport<OrderToImport>(database, {
        table: 'orders',
        columns: {
          ...importedColumns,
          complete: (order) => (order.complete === undefined ? null : Number(order.complete)),
        },
      });
      const commit = () => {
        revision += 1;
        return underway.commit();
      };
      return Promise.resolve({ ...underway, commit });
    },
  };
}
