import { batchPerTick, jsonSql, type Database } from '@kit/server';
import {
  BATCH_SIZE,
  batchesOf,
  issuableId,
  leavePending,
  orderColumns,
  outcomeOf,
  sharedStatements,
  type Batch,
  type Change,
} from './order-row.ts';
import type { OrderStatus, OrderStore } from './order-store.ts';

interface Cancel {
  readonly id: number;
  readonly by: string;
  readonly at: string;
}

export function createPostgresOrderStore(database: Database): OrderStore {
  const { query } = database;
  const asJson = jsonSql(orderColumns, (column) => `to_json(${column})`);

  async function jsonBatch(after: number): Promise<Batch<string>> {
    const [row] = await query<Batch<string>>(
      `SELECT string_agg(${asJson}, ',' ORDER BY id) AS orders, count(*) AS count, max(id) AS last
       FROM (SELECT * FROM orders WHERE id > $1 ORDER BY id LIMIT ${BATCH_SIZE}) AS batch`,
      [after],
    );
    return row as Batch<string>;
  }

  /** One statement and one commit for all cancels of one turn of the event loop. */
  const cancelInGroup = batchPerTick(async (cancels: readonly Cancel[]): Promise<Change[]> => {
    // The first of several cancels of an order counts.
    const first = new Map<number, Cancel>();
    for (const cancel of cancels) if (!first.has(cancel.id)) first.set(cancel.id, cancel);
    const made = [...first.values()];
    const rows = await query<{ id: number; status: OrderStatus; made: boolean }>(
      // Waiting for a locked row would delay the others, and two batches could deadlock.
      `WITH free AS (
         SELECT id FROM orders WHERE id = ANY ($1) AND status = 'pending' FOR NO KEY UPDATE SKIP LOCKED
       ), changed AS (
         UPDATE orders SET status = 'cancelled', cancelled_by = key, cancelled_at = moment
         FROM free JOIN unnest($1::bigint[], $2::text[], $3::text[]) AS cancel (id, key, moment) USING (id)
         WHERE orders.id = free.id RETURNING orders.id
       )
       SELECT id, status, id IN (SELECT id FROM changed) AS made FROM orders WHERE id = ANY ($1)`,
      [made.map(({ id }) => id), made.map(({ by }) => by), made.map(({ at }) => at)],
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return cancels.map((cancel) => {
      const row = found.get(cancel.id);
      if (!row?.made) return row?.status;
      return first.get(cancel.id) === cancel ? 'made' : 'cancelled';
    });
  });

  return {
    ...sharedStatements(database),
    jsonBatches: () => batchesOf(jsonBatch),
    async revision() {
      // With the server's identity: a promoted standby may lack the last changes and reuse revisions.
      const [row] = await query<{ revision: string }>(
        `SELECT concat(revision, ' ', pg_postmaster_start_time()) AS revision FROM orders_revision`,
      );
      return row?.revision ?? 0;
    },
    async cancel(id, by, at) {
      const known = issuableId(id);
      if (known === undefined) return 'not_found';
      const moment = at.toISOString();
      let change = await cancelInGroup({ id: known, by, at: moment });
      if (change === 'pending') {
        // Another transaction has locked it.
        const assignments = `status = 'cancelled', cancelled_by = $2, cancelled_at = $3`;
        change = await leavePending(query, known, assignments, [by, moment]);
      }
      return outcomeOf(change, 'cancelled');
    },
  };
}
