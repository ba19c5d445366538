import type { Order } from '@petstore/contract';
import type { ImportTarget } from '../database/import.ts';
import type { OrderStatus, OrderToImport, Outcome, StoredOrder } from './order-store.ts';

/** Orders read from a database at once. */
export const BATCH_SIZE = 1_000;

/** An order as both engines return it; SQLite has numbers for booleans. */
export interface OrderRow {
  id: number;
  pet_id: number | null;
  quantity: number | null;
  ship_date: string | null;
  complete: number | boolean | null;
  status: OrderStatus;
}

export const orderColumns = 'id, pet_id, quantity, ship_date, complete, status';

export const importedOrders: ImportTarget<OrderToImport> = {
  table: 'orders',
  columns: {
    pet_id: (order) => order.petId ?? null,
    quantity: (order) => order.quantity ?? null,
    ship_date: (order) => order.shipDate ?? null,
    complete: (order) => order.complete ?? null,
    status: (order) => order.status,
  },
};

function storedOrderOf(row: OrderRow): StoredOrder {
  const order: Order = { id: row.id };
  if (row.pet_id !== null) order.petId = row.pet_id;
  if (row.quantity !== null) order.quantity = row.quantity;
  if (row.ship_date !== null) order.shipDate = row.ship_date;
  if (row.complete !== null) order.complete = Boolean(row.complete);
  return { ...order, status: row.status };
}

/** Orders that were read at once, in the form they are wanted in, how many they are, and the last id. */
export interface Batch<Orders> {
  orders: Orders;
  count: number;
  last: number;
}

export function storedBatchOf(rows: readonly OrderRow[]): Batch<StoredOrder[]> {
  return { orders: rows.map(storedOrderOf), count: rows.length, last: rows.at(-1)?.id ?? 0 };
}

/**
 * The SQL of an order as JSON text, in which fields that are null are left out. A database writes it faster than it
 * hands over the fields. `quote` is the function by which the engine writes a JSON string.
 */
export function orderAsJson(quote: (column: string) => string): string {
  return `'{"id":' || id
    || coalesce(',"petId":' || pet_id, '')
    || coalesce(',"quantity":' || quantity, '')
    || CASE WHEN ship_date IS NULL THEN '' ELSE ',"shipDate":' || ${quote('ship_date')} END
    || CASE WHEN complete THEN ',"complete":true' WHEN NOT complete THEN ',"complete":false' ELSE '' END
    || '}'`;
}

/** Reads batch after batch, by id, until one is not full, unless that says where the next one begins. */
export async function* batchesOf<Orders>(
  read: (after: number) => Promise<Batch<Orders> & { next?: number | undefined }>,
): AsyncGenerator<Orders> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const { orders, count, last, next }: Awaited<ReturnType<typeof read>> = await read(after);
    if (count > 0) yield orders;
    after = next ?? (count === BATCH_SIZE ? last : undefined);
  }
}

/** What came of a change that only a pending order undergoes: it was made, or the status that was found instead. */
export type Change = 'made' | OrderStatus | undefined;

export function outcomeOf<Made extends OrderStatus>(change: Change, made: Made): Outcome<Made> {
  if (change === 'made') return made;
  if (change === undefined) return 'not_found';
  return change === 'shipped' ? 'already_shipped' : 'already_cancelled';
}

/** The id as a number, if the store can have issued it. */
export function issuableId(id: bigint): number | undefined {
  return id >= 1n && id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : undefined;
}
