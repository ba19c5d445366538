import { createHash } from 'node:crypto';
import type { Order } from '@petstore/contract';
import Database from 'better-sqlite3';

/** Whom a request counts for: a key with its quota, or an address with that of the Free plan. */
export interface Caller {
  readonly id: string;
  readonly isKey: boolean;
  readonly perMinute: number;
  readonly perDay: number;
}

export interface OrderRow {
  id: number;
  pet_id: number | null;
  quantity: number | null;
  ship_date: string | null;
  complete: number | boolean | null;
}

export type Cancelled = 'cancelled' | 'shipped' | 'missing';

type Awaitable<Value> = Value | Promise<Value>;

export interface Orders {
  /** The key that an Authorization header carries, by its SHA-256; otherwise the address. */
  identify(authorization: string | undefined, address: string): Awaitable<Caller>;
  list(): Awaitable<Order[]>;
  cancel(id: number, by: string): Awaitable<Cancelled>;
}

/** What a cancel is answered with. */
export const replies = {
  cancelled: { status: 204, body: undefined },
  shipped: {
    status: 409,
    body: { code: 'order_already_shipped', message: 'It has shipped.', status: 409 },
  },
  missing: {
    status: 404,
    body: { code: 'order_not_found', message: 'There is no such order.', status: 404 },
  },
} as const;

export type KeyRow = Omit<Caller, 'isKey'>;

/** The SHA-256 of the key in an Authorization header. */
export function digestIn(authorization: string | undefined): string | undefined {
  const [, token] = /^bearer +(.+)$/i.exec(authorization ?? '') ?? [];
  return token && createHash('sha256').update(token).digest('hex');
}

export function callerOf(key: KeyRow | undefined, address: string): Caller {
  return key ? { ...key, isKey: true } : { id: address, isKey: false, perMinute: 60, perDay: 1_000 };
}

export function orderOf(row: OrderRow): Order {
  return {
    id: row.id,
    ...(row.pet_id !== null && { petId: row.pet_id }),
    ...(row.quantity !== null && { quantity: row.quantity }),
    ...(row.ship_date !== null && { shipDate: row.ship_date }),
    ...(row.complete !== null && { complete: Boolean(row.complete) }),
  };
}

export function outcomeOf(status: string | undefined): Cancelled {
  return status === undefined ? 'missing' : status === 'shipped' ? 'shipped' : 'cancelled';
}

/** The service's SQLite file as the peers use it: the same statements, the same durability, no cache. */
export function openOrders(file: string) {
  const database = new Database(file, { fileMustExist: true });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const key = database.prepare<[string], KeyRow>(
    `SELECT id, per_minute AS perMinute, per_day AS perDay FROM api_keys
     WHERE digest = ? AND revoked_at IS NULL`,
  );
  const orders = database.prepare<[], OrderRow>(
    'SELECT id, pet_id, quantity, ship_date, complete FROM orders ORDER BY id',
  );
  const cancel = database.prepare(
    `UPDATE orders SET status = 'cancelled', cancelled_by = ?, cancelled_at = ? WHERE id = ? AND status = 'pending'`,
  );
  const status = database.prepare<[number], string>('SELECT status FROM orders WHERE id = ?').pluck();

  return {
    identify(authorization: string | undefined, address: string): Caller {
      const digest = digestIn(authorization);
      return callerOf(digest === undefined ? undefined : key.get(digest), address);
    },
    list: () => orders.all().map(orderOf),
    cancel(id: number, by: string): Cancelled {
      const { changes } = cancel.run(by, new Date().toISOString(), id);
      return changes === 1 ? 'cancelled' : outcomeOf(status.get(id));
    },
  };
}
