import type { Import } from '@kit/server';
import type { Order } from '@petstore/contract';

export const orderStatuses = ['pending', 'shipped', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** An order as the store keeps it. The status is never part of the Order that clients see. */
export interface StoredOrder extends Order {
  readonly status: OrderStatus;
}

/** What came of asking for a change that only a pending order undergoes. */
export type Outcome<Made> = Made | 'already_cancelled' | 'already_shipped' | 'not_found';

export type Revision = number | string;

/** Where orders are kept. Every method throws StoreUnavailable while the database cannot be asked. */
export interface OrderStore {
  /** Every order as clients see it, by ascending id: JSON text in batches, without the brackets of the array. */
  jsonBatches(): AsyncIterable<string>;
  /** A value that is another one after every committed change, by whatever process, of what `jsonBatches` shows. */
  revision(): Promise<Revision>;
  /** Every order with its status, by ascending id, or those of one status alone. */
  storedBatches(status?: OrderStatus): AsyncIterable<readonly StoredOrder[]>;
  /** Cancels the order if it is pending, and remembers which key did so and when. */
  cancel(id: bigint, by: string, at: Date): Promise<Outcome<'cancelled'>>;
  /** Ships the order if it is pending: its ship date becomes `at`. */
  ship(id: bigint, at: Date): Promise<Outcome<'shipped'>>;
  beginImport(): Promise<Import<StoredOrder>>;
}
