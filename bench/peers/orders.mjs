import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import pg from 'pg';

/** The responses to a cancel, by its outcome. */
export const replies = {
  cancelled: { status: 204, body: undefined },
  shipped: {
    status: 409,
    body: { code: 'order_already_shipped', message: 'The order has already shipped.', status: 409 },
  },
  missing: {
    status: 404,
    body: { code: 'order_not_found', message: 'There is no such order.', status: 404 },
  },
};

const FREE_PLAN = { isKey: false, perMinute: 60, perDay: 1_000 };

const SQL = {
  key: 'SELECT id, per_minute AS "perMinute", per_day AS "perDay" FROM api_keys WHERE digest = $1 AND revoked_at IS NULL',
  list: 'SELECT id, pet_id, quantity, ship_date, complete FROM orders ORDER BY id',
  cancel: `UPDATE orders SET status = 'cancelled', cancelled_by = $1, cancelled_at = $2 WHERE id = $3 AND status = 'pending'`,
  status: 'SELECT status FROM orders WHERE id = $1',
};

/** The service's own store: a SQLite file or the URL of a PostgreSQL database. */
export function openOrders(place) {
  return place.startsWith('postgresql:') ? openPostgresOrders(place) : openSqliteOrders(place);
}

/** The same tables, statements and durability as the service has, without its caches. */
export function openSqliteOrders(file) {
  const database = new Database(file, { fileMustExist: true });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const [key, list, cancel, status] = Object.values(SQL).map((sql) =>
    database.prepare(sql.replaceAll(/\$\d/g, '?')),
  );

  return {
    identify(authorization, address) {
      const digest = digestOf(authorization);
      return callerOf(digest && key.get(digest), address);
    },
    list: () => list.all().map(orderOf),
    cancel(id, by) {
      const { changes } = cancel.run(by, new Date().toISOString(), id);
      return changes === 1 ? 'cancelled' : outcomeOf(status.get(id));
    },
  };
}

function openPostgresOrders(connectionString) {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString, max: 10 });
  const query = (name, ...values) => pool.query({ name, text: SQL[name], values });

  return {
    async identify(authorization, address) {
      const digest = digestOf(authorization);
      return callerOf(digest && (await query('key', digest)).rows[0], address);
    },
    list: async () => (await query('list')).rows.map(orderOf),
    async cancel(id, by) {
      const { rowCount } = await query('cancel', by, new Date().toISOString(), id);
      return rowCount === 1 ? 'cancelled' : outcomeOf((await query('status', id)).rows[0]);
    },
  };
}

/** The SHA-256 of the API key in an Authorization header. */
function digestOf(authorization) {
  const token = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  return token && createHash('sha256').update(token).digest('hex');
}

/** The key with its quota; without a known key the address, with the quota of the Free plan. */
function callerOf(key, address) {
  return key ? { ...key, isKey: true } : { ...FREE_PLAN, id: address };
}

function orderOf({ id, pet_id: petId, quantity, ship_date: shipDate, complete }) {
  return {
    id,
    ...(petId !== null && { petId }),
    ...(quantity !== null && { quantity }),
    ...(shipDate !== null && { shipDate }),
    ...(complete !== null && { complete: Boolean(complete) }),
  };
}

/** Of an order that was not pending. */
function outcomeOf(order) {
  if (!order) return 'missing';
  return order.status === 'shipped' ? 'shipped' : 'cancelled';
}
