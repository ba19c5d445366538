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

interface OrderRow {
  id: number;
  pet_id: number | null;
  quantity: number | null;
  ship_date: string | null;
  complete: number | null;
}

/** The service's SQLite file as the peers use it: the same statements, the same durability, no cache. */
export function openOrders(file: string) {
  const database = new Database(file, { fileMustExist: true });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const key = database.prepare<[string], Omit<Caller, 'isKey'>>(
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
    /** The key that an Authorization header carries, by its SHA-256; otherwise the address. */
    identify(authorization: string | undefined, address: string): Caller {
      const [, token] = /^bearer +(.+)$/i.exec(authorization ?? '') ?? [];
      const found = token && key.get(createHash('sha256').update(token).digest('hex'));
      return found ? { ...found, isKey: true } : { id: address, isKey: false, perMinute: 60, perDay: 1_000 };
    },
    list: (): Order[] =>
      orders.all().map((row) => ({
        id: row.id,
        ...(row.pet_id !== null && { petId: row.pet_id }),
        ...(row.quantity !== null && { quantity: row.quantity }),
        ...(row.ship_date !== null && { shipDate: row.ship_date }),
        ...(row.complete !== null && { complete: row.complete === 1 }),
      })),
    cancel(id: number, by: string): 'cancelled' | 'shipped' | 'missing' {
      if (cancel.run(by, new Date().toISOString(), id).changes === 1) return 'cancelled';
      const found = status.get(id);
      return found === undefined ? 'missing' : found === 'shipped' ? 'shipped' : 'cancelled';
    },
  };
}
