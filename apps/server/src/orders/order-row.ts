import type { Columns, Table } from '@kit/server';
import type { Order } from '@petstore/contract';
import type { OrderStatus, Outcome, StoredOrder } from './order-store.ts';

/** The column of each field of an order. All that a database is told of orders follows from it. */
export const orderColumns: Columns<Order> = {
  id: { column: 'id', holds: 'integer' },
  petId: { column: 'pet_id', holds: 'integer' },
  quantity: { column: 'quantity', holds: 'integer' },
  shipDate: { column: 'ship_date', holds: 'text' },
  complete: { column: 'complete', holds: 'boolean' },
};

/** Orders as they are kept, with what clients never see. */
export const orderTable: Table<StoredOrder> = {
  name: 'orders',
  columns: { ...orderColumns, status: { column: 'status', holds: 'text' } },
};

/** Orders read from a database at once. */
export const BATCH_SIZE = 1_000;

/** Orders that were read at once, in the form they are wanted in, how many they are, and the last id. */
export interface Batch<Orders> {
  readonly orders: Orders;
  readonly count: number;
  readonly last: number;
}

/** Reads batch after batch, by id, until one is not full. */
export async function* batchesOf<Orders>(
  read: (after: number) => Promise<Batch<Orders>>,
): AsyncGenerator<Orders> {
  let batch: Batch<Orders> | undefined;
  do {
    batch = await read(batch?.last ?? 0);
    if (batch.count > 0) yield batch.orders;
  } while (batch.count === BATCH_SIZE);
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
