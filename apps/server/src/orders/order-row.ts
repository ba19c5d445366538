import type { Order } from '@petstore/contract';
import type { CancelOutcome, OrderStatus, OrderToImport, ShipOutcome, StoredOrder } from './order-store.ts';

/** Orders read from a database at once. */
export const PAGE_SIZE = 1_000;

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

/** What an import writes, besides the id. */
export const importedColumns = {
  pet_id: (order: OrderToImport) => order.petId ?? null,
  quantity: (order: OrderToImport) => order.quantity ?? null,
  ship_date: (order: OrderToImport) => order.shipDate ?? null,
  complete: (order: OrderToImport) => order.complete ?? null,
  status: (order: OrderToImport) => order.status,
};

export function orderOf(row: OrderRow): Order {
  const order: Order = { id: row.id };
  if (row.pet_id !== null) order.petId = row.pet_id;
  if (row.quantity !== null) order.quantity = row.quantity;
  if (row.ship_date !== null) order.shipDate = row.ship_date;
  if (row.complete !== null) order.complete = Boolean(row.complete);
  return order;
}

export function storedOrderOf(row: OrderRow): StoredOrder {
  return { ...orderOf(row), status: row.status };
}

/** A page as JSON text: its orders, how many they are, and the last id. */
export interface JsonPage {
  orders: string | null;
  count: number;
  last: number;
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

/** Reads page after page, by id, until one is not full. */
export async function* pagesOf<Item>(
  read: (after: number) => Promise<OrderRow[]>,
  itemOf: (row: OrderRow) => Item,
): AsyncGenerator<Item[]> {
  for (let after = 0; ;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(itemOf);
    if (rows.length < PAGE_SIZE) return;
    after = last.id;
  }
}

/** The same for pages of JSON text. */
export async function* jsonPagesOf(
  read: (after: number) => Promise<JsonPage | undefined>,
): AsyncGenerator<string> {
  for (let after = 0; ;) {
    const page = await read(after);
    if (!page?.orders) return;
    yield page.orders;
    if (page.count < PAGE_SIZE) return;
    after = page.last;
  }
}

/** What a change that only a pending order undergoes came to: it was made, or the order was in another state. */
export type Departure = 'done' | 'not_found' | OrderStatus;

export function cancelOutcome(departure: Departure): CancelOutcome {
  if (departure === 'done') return 'cancelled';
  if (departure === 'not_found') return departure;
  return departure === 'shipped' ? 'already_shipped' : 'already_cancelled';
}

export function shipOutcome(departure: Departure): ShipOutcome {
  if (departure === 'done') return 'shipped';
  if (departure === 'not_found') return departure;
  return departure === 'shipped' ? 'already_shipped' : 'already_cancelled';
}

/** The id as a number, if the store can have issued it. */
export function issuableId(id: bigint): number | undefined {
  return id >= 1n && id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : undefined;
}
