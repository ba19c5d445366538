import { cpSync } from 'node:fs';
import path from 'node:path';
import type { Order } from '@petstore/contract';
import { filesIn } from '@petstore/server/src/data-dir';
import { createKey } from '@petstore/server/src/keys/create-key';
import { openStore } from '@petstore/server/src/store/open-store';
import type { Store } from '@petstore/server/src/store/store';
import type { Bench } from './bench.ts';

export const LIST = '/v1/store/orders';
/** What is sent to the servers refers to these orders. */
export const PENDING_ID = 1;
export const SHIPPED_ID = 2;
export const MISSING_ID = 999_999_999;

/** A store that is filled, and what a client must know of it. */
export interface Data {
  readonly count: number;
  readonly dataDir: string;
  /** A key whose quota no measurement uses up. */
  readonly key: string;
  /** Keys of others, because one alone may stream only so many lists at once. */
  readonly others: readonly string[];
  /** A key that may make one request per day. */
  readonly exhausted: string;
}

const UNLIMITED = 1_000_000_000;
const BATCH = 10_000;

export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
export const GZIP = { 'Accept-Encoding': 'gzip' };

export function orderNumber(id: number): Order {
  return {
    id,
    petId: (id * 7) % 1000,
    quantity: id % 5,
    shipDate: new Date(Date.UTC(2026, 10, 1) + id * 60_000).toISOString(),
    complete: id % 3 === 0,
  };
}

/** A SQLite store of `count` orders; all but order 2 are pending. */
export async function createData(bench: Bench, count: number): Promise<Data> {
  const dataDir = path.join(bench.folder, `data-${count}`);
  const store = await openStore({ dataDir, databaseUrl: undefined, onError: () => {} });
  try {
    return { count, dataDir, ...(await fill(store, count)) };
  } finally {
    await store.close();
  }
}

/** Fills `store`, and returns the keys. */
export async function fill(store: Store, count: number): Promise<Pick<Data, 'key' | 'others' | 'exhausted'>> {
  const underway = await store.orders.beginImport();
  for (let first = 1; first <= count; first += BATCH) {
    const length = Math.min(BATCH, count - first + 1);
    await underway.stage(
      Array.from({ length }, (_, index) => ({
        ...orderNumber(first + index),
        status: first + index === SHIPPED_ID ? 'shipped' : 'pending',
        line: first + index,
      })),
    );
  }
  await underway.commit();
  return createKeys(store.keys);
}

export async function createKeys(keys: Store['keys']): Promise<Pick<Data, 'key' | 'others' | 'exhausted'>> {
  const create = async (name: string, perDay: number) => {
    const quota = { perMinute: UNLIMITED, perDay };
    return (await createKey(keys, { name, plan: 'enterprise', now: new Date(), quota })).key;
  };
  return {
    key: await create('load', UNLIMITED),
    others: [await create('ada', UNLIMITED), await create('bob', UNLIMITED), await create('eve', UNLIMITED)],
    exhausted: await create('exhausted', 1),
  };
}

/** The same store again, for another server. */
export function copyData(data: Data, name: string): Data {
  const dataDir = `${data.dataDir}-${name}`;
  cpSync(data.dataDir, dataDir, { recursive: true });
  return { ...data, dataDir };
}

export function databaseOf({ dataDir }: Data): string {
  return filesIn(dataDir).store;
}
