import {
  batchPerTick,
  columnNames,
  itemOf,
  jsonSql,
  type Database,
  type Import,
  type Row,
} from '@kit/server';
import { orderColumns, orderTable, type OrderStatus, type StoredOrder } from './order-row.ts';

const BATCH_SIZE = 1_000;

/** A batch of orders in the wanted form, their number, and the last id. */
interface Batch<Orders> {
  readonly orders: Orders;
  readonly count: number;
  readonly last: number;
}

/** Reads batches by id until one is not full. */
async function* batchesOf<Orders>(read: (after: number) => Promise<Batch<Orders>>): AsyncGenerator<Orders> {
  let batch: Batch<Orders> | undefined;
  do {
    batch = await read(batch?.last ?? 0);
    if (batch.count > 0) yield batch.orders;
  } while (batch.count === BATCH_SIZE);
}

interface Cancel {
  readonly id: string;
  readonly by: string;
  readonly at: string;
}

/** What changing a pending order came to: done, or the status it has instead. */
type Change = 'made' | OrderStatus | undefined;
/** The outcome of a change that only a pending order allows. */
type Outcome<Made> = Made | 'already_cancelled' | 'already_shipped' | 'not_found';

function outcomeOf<Made extends OrderStatus>(change: Change, made: Made): Outcome<Made> {
  if (change === 'made') return made;
  if (change === undefined) return 'not_found';
  return change === 'shipped' ? 'already_shipped' : 'already_cancelled';
}

export type OrderStore = ReturnType<typeof createOrderStore>;

/** Stores orders. Every method throws StoreUnavailable while the database fails. */
export function createOrderStore({ engine, query, beginImport, skipLocked }: Database) {
  const isSqlite = engine === 'sqlite';
  const quoteJson = (column: string) => `${isSqlite ? 'json_quote' : 'to_json'}(${column})`;
  const startedAt = isSqlite ? `''` : 'pg_postmaster_start_time()';
  const findStored = `SELECT ${columnNames(orderTable).join(', ')} FROM orders
    WHERE id > $1 AND status = coalesce($2, status) ORDER BY id LIMIT ${BATCH_SIZE}`;
  const findShown = `SELECT string_agg(${jsonSql(orderColumns, quoteJson)}, ',') AS orders,
      count(*) AS count, max(id) AS last
    FROM (SELECT * FROM orders WHERE id > $1 ORDER BY id LIMIT ${BATCH_SIZE}) AS batch`;
  // Waiting for a locked row would delay the others, and two batches could deadlock.
  const cancelFree = `WITH free AS (
      SELECT id FROM orders
      WHERE status = 'pending' AND id IN (SELECT CAST(key AS bigint) FROM json_each($1)) ${skipLocked}
    )
    UPDATE orders SET status = 'cancelled', cancelled_by = value ->> 'by', cancelled_at = value ->> 'at'
    FROM free JOIN json_each($1) ON CAST(key AS bigint) = free.id
    WHERE orders.id = free.id RETURNING CAST(orders.id AS text) AS id`;
  const findStatuses = `SELECT CAST(id AS text) AS id, status FROM orders
    WHERE id IN (SELECT CAST(key AS bigint) FROM json_each($1))`;

  /** One commit for all cancels of one turn of the event loop. The first of several cancels of an order counts. */
  const cancelTogether = batchPerTick(async (cancels: readonly Cancel[]): Promise<Change[]> => {
    const first = new Map<string, Cancel>();
    for (const cancel of cancels) if (!first.has(cancel.id)) first.set(cancel.id, cancel);
    const wanted = [JSON.stringify(Object.fromEntries(first))];
    const look = async () => {
      const found = await query<{ id: string; status: OrderStatus }>(findStatuses, wanted);
      return new Map(found.map(({ id, status }) => [id, status]));
    };
    // Looking first spares orders that are not pending SQLite's write lock. With PostgreSQL it costs a round trip.
    const before = isSqlite ? await look() : undefined;
    const isOver = before && ![...before.values()].includes('pending');
    const made = new Set(isOver ? [] : (await query<Cancel>(cancelFree, wanted)).map(({ id }) => id));
    const statuses = made.size === first.size ? undefined : (before ?? (await look()));
    return cancels.map((cancel) => {
      if (!made.has(cancel.id)) return statuses?.get(cancel.id);
      return first.get(cancel.id) === cancel ? 'made' : 'cancelled';
    });
  });

  /** Makes `assignments`, with the values from $2 on, of an order that is pending. */
  async function leavePending(id: string, assignments: string, ...values: string[]): Promise<Change> {
    const sql = `UPDATE orders SET ${assignments} WHERE id = $1 AND status = 'pending' RETURNING id`;
    const changed = await query(sql, [id, ...values]);
    if (changed.length > 0) return 'made';
    const [order] = await query<{ status: OrderStatus }>('SELECT status FROM orders WHERE id = $1', [id]);
    // One that is pending came only after the first statement.
    return order?.status === 'pending' ? undefined : order?.status;
  }

  return {
    /** Every order as clients see it, by ascending id: JSON text in batches, without the array's brackets. */
    jsonBatches: () =>
      batchesOf(async (after) => (await query<Batch<string>>(findShown, [after]))[0] as Batch<string>),

    /** Changes with every committed change, by any process, of what `jsonBatches` shows. */
    async revision(): Promise<string> {
      // With the server's identity: a promoted standby may lack the last changes and reuse revisions.
      const sql = `SELECT concat(revision, ' ', ${startedAt}) AS revision FROM orders_revision`;
      const [row] = await query<{ revision: string }>(sql);
      return row?.revision ?? '';
    },

    /** Every order with its status, by ascending id, or only those of one status. */
    storedBatches: (status?: OrderStatus) =>
      batchesOf(async (after) => {
        const rows = await query<Row>(findStored, [after, status ?? null]);
        const orders = rows.map((row) => itemOf(orderTable, row));
        return { orders, count: orders.length, last: orders.at(-1)?.id ?? 0 };
      }),

    /** Cancels the order if it is pending, and records the key and the time. */
    async cancel(orderId: bigint, by: string, time: Date): Promise<Outcome<'cancelled'>> {
      const [id, at] = [String(orderId), time.toISOString()];
      let change = await cancelTogether({ id, by, at });
      if (change === 'pending') {
        // Another transaction has locked it, or changed it meanwhile.
        const assignments = `status = 'cancelled', cancelled_by = $2, cancelled_at = $3`;
        change = await leavePending(id, assignments, by, at);
      }
      return outcomeOf(change, 'cancelled');
    },

    /** Ships the order if it is pending: its ship date becomes `at`. */
    async ship(id: bigint, at: Date): Promise<Outcome<'shipped'>> {
      const assignments = `status = 'shipped', ship_date = $2`;
      return outcomeOf(await leavePending(String(id), assignments, at.toISOString()), 'shipped');
    },

    beginImport: (): Promise<Import<StoredOrder>> => beginImport(orderTable),
  };
}
