import { RawJson, memoizeByRevision, oncePerTurn, type Services } from '@kit/server';
import type { Order } from './order-row.ts';
import type { OrderStore } from './order-store.ts';

/** The most bytes of a cached list, some 90,000 orders. A longer one is read for each request. */
const MAX_BYTES = 8 * 1024 * 1024;

type ListText = RawJson<Order[]>;
export type OrderList = () => Promise<ListText>;

/** The list of all orders as response text, cached until the store's revision changes. */
export function createOrderList({ store: orders, batchTurn }: Services<OrderStore>): OrderList {
  /** Undefined if the list is too long to cache. */
  async function read(): Promise<ListText | undefined> {
    const batches: string[] = [];
    let length = '[]'.length;
    for await (const batch of orders.jsonBatches()) {
      batches.push(batch);
      length += batch.length + 1;
      if (length > MAX_BYTES) return undefined;
      // Most lists are one batch: no turn is needed after it.
      if (batches.length > 1) await batchTurn();
    }
    return new RawJson(Buffer.from(`[${batches.join(',')}]`));
  }

  const cached = oncePerTurn(memoizeByRevision(() => orders.revision(), read));
  return () => cached().then((text) => text ?? new RawJson(orders.jsonBatches()));
}
