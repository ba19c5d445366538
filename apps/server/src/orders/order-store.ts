import type { Import } from '@kit/server';
import type { components } from '@petstore/contract';

export type Order = components['schemas']['Order'];

export const orderStatuses = ['pending', 'shipped', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** An order as the store keeps it. The status is never part of the Order that clients see. */
export interface StoredOrder extends Order {
  readonly status: OrderStatus;
}

/** The outcome of a change that only a pending order allows. */
export type Outcome<Made> = Made | 'already_cancelled' | 'already_shipped' | 'not_found';

export type Revision = number | string;

/** Stores orders. Every method throws StoreUnavailable while the database fails. */
export interface OrderStore {
  /** Every order as clients see it, by ascending id: JSON text in batches, without the array's brackets. */
  jsonBatches(): AsyncIterable<string>;
  /** Changes with every committed change, by any process, of what `jsonBatches` shows. */
  revision(): Promise<Revision>;
  /** Every order with its status, by ascending id, or only those of one status. */
  storedBatches(status?: OrderStatus): AsyncIterable<readonly StoredOrder[]>;
  /** Cancels the order if it is pending, and records the key and the time. */
  cancel(id: bigint, by: string, at: Date): Promise<Outcome<'cancelled'>>;
  /** Ships the order if it is pending: its ship date becomes `at`. */
  ship(id: bigint, at: Date): Promise<Outcome<'shipped'>>;
  beginImport(): Promise<Import<StoredOrder>>;
}
