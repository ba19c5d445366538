import { Redis } from 'ioredis';
import pg from 'pg';
import {
  callerOf,
  digestIn,
  openOrders,
  orderOf,
  outcomeOf,
  type KeyRow,
  type OrderRow,
  type Orders,
} from './orders.ts';

/** Where limits are counted, if not in memory. */
export const redis = process.env['REDIS_URL'] === undefined ? undefined : new Redis(process.env['REDIS_URL']);

/** The service's store as the peers use it: a SQLite file, or PostgreSQL by its URL. */
export function openOrdersAt(place: string): Orders {
  return place.startsWith('postgresql:') ? inPostgres(place) : openOrders(place);
}

/** The service's tables with the same statements, prepared once per connection, over as many connections as it has. */
function inPostgres(connectionString: string): Orders {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString, max: 10 });
  async function run<Row extends object>(name: string, text: string, values: unknown[] = []) {
    return pool.query<Row>({ name, text, values });
  }
  return {
    async identify(authorization, address) {
      const digest = digestIn(authorization);
      if (digest === undefined) return callerOf(undefined, address);
      const sql = `SELECT id, per_minute AS "perMinute", per_day AS "perDay" FROM api_keys
                   WHERE digest = $1 AND revoked_at IS NULL`;
      const { rows } = await run<KeyRow>('key', sql, [digest]);
      return callerOf(rows[0], address);
    },
    async list() {
      const sql = 'SELECT id, pet_id, quantity, ship_date, complete FROM orders ORDER BY id';
      const { rows } = await run<OrderRow>('list', sql);
      return rows.map(orderOf);
    },
    async cancel(id, by) {
      const sql = `UPDATE orders SET status = 'cancelled', cancelled_by = $1, cancelled_at = $2
                   WHERE id = $3 AND status = 'pending'`;
      const { rowCount } = await run('cancel', sql, [by, new Date().toISOString(), id]);
      if (rowCount === 1) return 'cancelled';
      const found = await run<{ status: string }>('status', 'SELECT status FROM orders WHERE id = $1', [id]);
      return outcomeOf(found.rows[0]?.status);
    },
  };
}
