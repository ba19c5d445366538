import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Order } from '@petstore/contract';
import { JsonText } from '../http/json-text.ts';
import { batchTurn } from '../pipeline/streams.ts';
import type { OrderStore, Revision } from './order-store.ts';

/** A list is remembered up to this many bytes, some 90,000 orders; a longer one is read for each request. */
const MAX_BYTES = 8 * 1024 * 1024;

export type OrderList = () => Promise<JsonText<Order[]>>;

interface Reading {
  readonly revision: Revision;
  /** Undefined where the list is too long to remember. */
  readonly bytes: Promise<Buffer | undefined>;
}

/**
 * The list of all orders as the text that is sent, remembered for as long as the store's revision proves that
 * no change has been committed that it would show.
 */
export function createOrderList(orders: Pick<OrderStore, 'revision' | 'jsonBatches'>): OrderList {
  let remembered: { revision: Revision; text: JsonText<Order[]> | undefined } | undefined;
  let underway: Reading | undefined;

  const inBatches = () => new JsonText<Order[]>(unremembered());

  /** The batches of a list that was too long, until it turns out that it is not any more. */
  async function* unremembered(): AsyncGenerator<string> {
    let length = 0;
    for await (const batch of orders.jsonBatches()) {
      length += batch.length;
      yield batch;
    }
    if (length < MAX_BYTES / 2) remembered = undefined;
  }

  async function read(revision: Revision): Promise<Buffer | undefined> {
    const batches: string[] = [];
    let length = '[]'.length;
    for await (const batch of orders.jsonBatches()) {
      batches.push(batch);
      length += batch.length + 1;
      if (length > MAX_BYTES) break;
      // Most lists are one batch, after which there is nothing to make room for.
      if (batches.length > 1) await batchTurn();
    }
    const bytes = length > MAX_BYTES ? undefined : Buffer.from(`[${batches.join(',')}]`);
    remembered = { revision, text: bytes && new JsonText(bytes) };
    return bytes;
  }

  /** A change that is committed while the list is read may be in it. Then the revision is another one already. */
  function at(revision: Revision): JsonText<Order[]> | Promise<JsonText<Order[]>> {
    if (remembered && !remembered.text) return inBatches();
    if (remembered?.text && remembered.revision === revision) return remembered.text;
    if (underway?.revision !== revision) {
      const reading: Reading = {
        revision,
        bytes: read(revision).finally(() => {
          if (underway === reading) underway = undefined;
        }),
      };
      underway = reading;
    }
    return underway.bytes.then((bytes) => (bytes ? new JsonText<Order[]>(bytes) : inBatches()));
  }

  let asking: Promise<Revision> | undefined;

  /** Asks once for all who came in this turn of the event loop: what is current after it is current for each. */
  async function ask(): Promise<Revision> {
    await nextTurn();
    asking = undefined;
    return orders.revision();
  }

  return () => (asking ??= ask()).then(at);
}
