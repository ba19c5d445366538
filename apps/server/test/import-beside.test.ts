import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { filesIn } from '../src/data-dir.ts';
import type { OrderStore } from '../src/orders/order-store.ts';
import { openSqliteStore } from '../src/store/open-sqlite-store.ts';
import type { Store } from '../src/store/store.ts';
import { petstoreJson } from './support/command.ts';
import { newFolder } from './support/folder.ts';

/* What an import promises to those who read and write the embedded store beside it. */

let dataDir: string;
let store: Store;

beforeEach(() => {
  dataDir = newFolder();
  store = openSqliteStore(dataDir);
});

afterEach(() => store.close());

async function staged(orders: OrderStore, ids: readonly number[]) {
  const underway = await orders.beginImport();
  await underway.stage(ids.map((id) => ({ id, status: 'pending', line: id })));
  return underway;
}

const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

async function listed(orders: OrderStore): Promise<number> {
  let count = 0;
  for await (const batch of orders.jsonBatches()) count += (JSON.parse(`[${batch}]`) as unknown[]).length;
  return count;
}

test('a long import shows nothing of itself or everything, and others write between its chunks', async () => {
  await (await staged(store.orders, idsFrom(1, 100))).commit();
  const beside = openSqliteStore(dataDir);
  const underway = await staged(beside.orders, idsFrom(1_000, 60_000));
  let isDone = false;
  const importing = underway.commit().finally(() => (isDone = true));
  const seen = new Set<number>();
  const outcomes = new Set<string>();
  for (let id = 1; !isDone; id += 1) {
    seen.add(await listed(store.orders));
    if (id <= 100) outcomes.add(await store.orders.cancel(BigInt(id), 'key_1', new Date()));
    // A list that is read in place leaves the import of the same process no turn of the event loop.
    await nextTurn();
  }
  expect(await importing).toEqual([]);
  seen.add(await listed(store.orders));
  expect([...seen].sort((a, b) => a - b)).toEqual([100, 60_100]);
  expect([...outcomes]).toEqual(['cancelled']);
  await beside.close();
});

test('so does one of ids between those of the store, under the write lock for no longer', async () => {
  const isTaken = (id: number) => id % 100 === 0 || id === 70_000;
  const ids = idsFrom(1, 70_000);
  await (await staged(store.orders, ids.filter(isTaken))).commit();
  const beside = openSqliteStore(dataDir);
  const others = ids.filter((id) => !isTaken(id));
  const underway = await staged(beside.orders, others);
  // The write lock is never held for longer than by one chunk: who has it sees no more than that of the import.
  const observer = new Database(filesIn(dataDir).store, { timeout: 60_000 });
  const there = observer.prepare('SELECT count(*) FROM orders').pluck();
  const counted = new Set<unknown>();
  const shown = new Set<number>();
  let isDone = false;
  const importing = underway.commit().finally(() => (isDone = true));
  while (!isDone) {
    observer.transaction(() => counted.add(there.get())).immediate();
    const count = await listed(store.orders);
    // One that is read when the import ends may have a part of it.
    if (!isDone) shown.add(count);
    await nextTurn();
  }
  expect(await importing).toEqual([]);
  expect([...shown]).toEqual([700]);
  expect(await listed(store.orders)).toBe(70_000);
  // All but the first and the last one show a part.
  expect(counted.size).toBeGreaterThan(2);
  observer.close();
  await beside.close();
});

test('ids between those of the store go in with the rest', async () => {
  await (await staged(store.orders, [5_000])).commit();
  await (await staged(store.orders, idsFrom(1, 4_999))).commit();
  const mixed = await staged(store.orders, idsFrom(5_001, 20_000));
  await mixed.stage([{ status: 'pending', line: 1 }]);
  expect(await mixed.commit()).toEqual([]);
  expect(await listed(store.orders)).toBe(25_001);
});

describe('an import that was killed between two chunks', () => {
  beforeEach(async () => {
    await (await staged(store.orders, idsFrom(2, 10))).commit();
    const database = new Database(filesIn(dataDir).store);
    database.exec(`INSERT INTO imports VALUES ('orders', 1, 1), ('orders', 12, 9007199254740991);
                   INSERT INTO orders (id, status) VALUES (1, 'pending'), (12, 'pending'), (13, 'shipped')`);
    database.close();
  });

  test('is in no answer: not in the list, nor for a cancel', async () => {
    expect(await listed(store.orders)).toBe(10);
    for (const id of [1n, 12n]) {
      expect(await store.orders.cancel(id, 'key_1', new Date())).toBe('not_found');
      expect(await store.orders.ship(id, new Date())).toBe('not_found');
    }
  });

  test('is in the way of no other, which removes what it has left', async () => {
    expect(await (await staged(store.orders, [12])).commit()).toEqual([]);
    expect(await listed(store.orders)).toBe(11);
  });

  test('is in no backup', async () => {
    const file = path.join(newFolder(), 'backup.db');
    expect(await petstoreJson(['backup', file], { dataDir })).toMatchObject({ contains: { orders: 10 } });
  });
});
