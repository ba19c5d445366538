import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Order } from '@petstore/contract';
import { JsonText } from '../http/json-text.ts';
import { batchTurn } from '../pipeline/streams.ts';
import type { OrderStore, Revision } from './order-store.ts';

/** A list is remembered up to this many bytes, some 90,000 orders; a longer one is read for each request. */
const MAX_BYTES = 8 * 1024 * 1024;

type ListText = JsonText<Order[]>;
export type OrderList = () => Promise<ListText>;

/** A list of one revision: its text, or undefined where that is too long to remember; a promise until it is read. */
interface Reading {
  readonly revision: Revision;
  text?: ListText | undefined | Promise<ListText | undefined>;
}

/**
 * The list of all orders as the text that is sent, remembered for as long as the store's revision proves that
 * no change has been committed that it would show.
 */
export function createOrderList(orders: Pick<OrderStore, 'revision' | 'jsonBatches'>): OrderList {
  let latest: Reading | undefined;

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

  function begin(revision: Revision): Reading {
    const reading: Reading = { revision };
    reading.text = read().then(
      (text) => (reading.text = text),
      (error: unknown) => {
        if (latest === reading) latest = undefined;
        throw error;
      },
    );
    return reading;
  }

  /** A change that is committed while the list is read may be in it. Then the revision is another one already. */
  function at(revision: Revision): Reading['text'] {
    if (latest?.revision !== revision) latest = begin(revision);
    return latest.text;
  }

  let asking: Promise<ListText | undefined> | undefined;

  /** Asks once for all who came in this turn of the event loop: what is current after it is current for each. */
  async function ask(): Promise<Revision> {
    await nextTurn();
    asking = undefined;
    return orders.revision();
  }

  return () => (asking ??= ask().then(at)).then((text) => text ?? new JsonText(orders.jsonBatches()));
}
