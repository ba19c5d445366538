import type { Order } from '@petstore/contract';
import { oncePerTurn } from '../database/grouped.ts';
import { JsonText } from '../http/json-text.ts';
import { batchTurn } from '../pipeline/streams.ts';
import { memoizeByRevision } from './memoize-by-revision.ts';
import type { OrderStore } from './order-store.ts';

/** A list is remembered up to this many bytes, some 90,000 orders; a longer one is read for each request. */
const MAX_BYTES = 8 * 1024 * 1024;

type ListText = JsonText<Order[]>;
export type OrderList = () => Promise<ListText>;

/** The list of all orders as the text that is sent, remembered while the store's revision stays the same. */
export function createOrderList(orders: Pick<OrderStore, 'revision' | 'jsonBatches'>): OrderList {
  /** Undefined if the list is too long to be remembered. */
  async function read(): Promise<ListText | undefined> {
    const batches: string[] = [];
    let length = '[]'.length;
    for await (const batch of orders.jsonBatches()) {
      batches.push(batch);
      length += batch.length + 1;
      if (length > MAX_BYTES) return undefined;
      // Most lists are one batch, after which there is nothing to make room for.
      if (batches.length > 1) await batchTurn();
    }
    return new JsonText(Buffer.from(`[${batches.join(',')}]`));
  }

  const remembered = oncePerTurn(memoizeByRevision(orders.revision, read));
  return () => remembered().then((text) => text ?? new JsonText(orders.jsonBatches()));
}
