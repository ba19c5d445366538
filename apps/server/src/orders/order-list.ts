import { RawJson, memoizeByRevision, oncePerTurn, type Services } from '@kit/server';
import type { Order } from '@petstore/contract';
import type { OrderStore } from './order-store.ts';

/** A list is remembered up to this many bytes, some 90,000 orders; a longer one is read for each request. */
const MAX_BYTES = 8 * 1024 * 1024;

type ListText = RawJson<Order[]>;
export type OrderList = () => Promise<ListText>;

/** The list of all orders as the text that is sent, remembered while the store's revision stays the same. */
export function createOrderList({ store: orders, batchTurn }: Services<OrderStore>): OrderList {
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
    return new RawJson(Buffer.from(`[${batches.join(',')}]`));
  }

  const remembered = oncePerTurn(memoizeByRevision(() => orders.revision(), read));
  return () => remembered().then((text) => text ?? new RawJson(orders.jsonBatches()));
}
