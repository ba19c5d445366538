import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@contract-kit/test-support';
import { itemsIn, newFolder, shared, startPostgres } from '@contract-kit/test-support/testing';
import type { Order, OrderStatus } from '../../src/orders/order-row.ts';
import type { OrderStore } from '../../src/orders/order-store.ts';
import { holdWriteLock, openPostgresStore, openSqliteStore, type Store } from '../support/petstore.ts';
import { importOrders, numbered, storedOrders } from '../support/store.ts';

const AT = new Date('2026-11-21T12:00:00.000Z');

/** Tests every database engine that stores orders. `create` makes an empty store; its result opens it. */
function describeOrderStore(engine: string, create: () => Promise<() => Promise<Store>>): void {
  describe(`orders in ${engine}`, () => {
    let open: () => Promise<Store>;
    let store: Store;
    let orders: OrderStore;

    beforeEach(async () => {
      open = await create();
      store = await open();
      orders = store.features.orders;
    });

    afterEach(() => store.close());

    const importAll = (items: Parameters<typeof importOrders>[1]) => importOrders(orders, items);

    const all = (): Promise<Order[]> => itemsIn(orders.shown.items());

    const allStored = (status?: OrderStatus) => storedOrders(orders, status);

    test('returns orders unchanged, by id, without absent fields', async () => {
      const full = { id: 2, petId: -7, quantity: 0, shipDate: '2026-01-01T00:00:00.000Z', complete: false };
      await importAll([
        { id: 9_007_199_254_740_991, complete: true },
        full,
        { id: 1, petId: 9_007_199_254_740_991 },
      ]);
      const expected = [
        { id: 1, petId: 9_007_199_254_740_991 },
        full,
        { id: 9_007_199_254_740_991, complete: true },
      ];
      expect(await all()).toEqual(expected);
    });

    test('the list is read again when it has changed, but not when an order is cancelled', async () => {
      const texts = [await orders.shown.read()];
      const note = async () => void texts.push(await orders.shown.read());
      await importAll([{ id: 1 }, { id: 2 }]);
      await note();
      await orders.ship(1n, AT);
      await note();
      await importAll([{ id: 3 }]);
      await note();
      expect(new Set(texts).size).toBe(4);
      await orders.cancel(2n, 'key_1', AT);
      expect(await orders.shown.read()).toBe(texts[3]);
    });

    test('only the operator sees the status, and can filter by it', async () => {
      await importAll([
        { id: 1, status: 'shipped' },
        { id: 2, status: 'pending' },
        { id: 3, status: 'cancelled' },
      ]);
      expect(await all()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
      expect((await allStored()).map(({ status }) => status)).toEqual(['shipped', 'pending', 'cancelled']);
      expect(await allStored('cancelled')).toEqual([{ id: 3, status: 'cancelled' }]);
    });

    test('a pending order is cancelled, and remains cancelled', async () => {
      await importAll([{ id: 1 }]);
      expect(await orders.cancel(1n, 'key_a', AT)).toEqual({ status: 'cancelled', changed: true });
      expect(await orders.cancel(1n, 'key_b', AT)).toEqual({ status: 'cancelled', changed: false });
      expect(await orders.ship(1n, AT)).toEqual({ status: 'cancelled', changed: false });
      expect(await allStored()).toEqual([{ id: 1, status: 'cancelled' }]);
    });

    test('shipping a pending order sets the time, and leaves `complete` unchanged', async () => {
      await importAll([{ id: 1, shipDate: '2027-01-01T00:00:00.000Z', complete: false }]);
      expect(await orders.ship(1n, AT)).toEqual({ status: 'shipped', changed: true });
      expect(await orders.ship(1n, new Date())).toEqual({ status: 'shipped', changed: false });
      expect(await orders.cancel(1n, 'key_a', AT)).toEqual({ status: 'shipped', changed: false });
      expect(await allStored()).toEqual([
        { id: 1, shipDate: AT.toISOString(), complete: false, status: 'shipped' },
      ]);
    });

    test('an unknown id is not found, and changes no order', async () => {
      await importAll([{ id: 1 }, { id: 9_007_199_254_740_991 }]);
      for (const id of [0n, 2n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)]) {
        expect([id, await orders.cancel(id, 'key_a', AT)]).toEqual([id, { changed: false }]);
        expect([id, await orders.ship(id, AT)]).toEqual([id, { changed: false }]);
      }
      expect((await allStored()).map(({ status }) => status)).toEqual(['pending', 'pending']);
    });

    test('concurrent cancels each get their own outcome', async () => {
      await importAll([{ id: 1 }, { id: 2, status: 'shipped' }, { id: 3, status: 'cancelled' }]);
      const ids = [1n, 2n, 3n, 4n, 1n];
      expect(await Promise.all(ids.map((id) => orders.cancel(id, 'key_a', AT)))).toEqual([
        { status: 'cancelled', changed: true },
        { status: 'shipped', changed: false },
        { status: 'cancelled', changed: false },
        { changed: false },
        { status: 'cancelled', changed: false },
      ]);
    });

    test('an order cancelled and shipped at once ends as one of the two, and every caller learns which', async () => {
      const other = await open();
      const wins = { shipped: 0, cancelled: 0 };
      // The shipment starts later after it won, and earlier after it lost, so that the race stays close.
      let delay = 0;
      for (let id = 1n; id <= 100; id += 1n) {
        await importAll([{ id: Number(id) }]);
        const callers = Array.from({ length: 32 }, (_, number) => number);
        const [shipped, ...cancels] = await Promise.all([
          sleep(delay).then(() => orders.ship(id, AT)),
          ...callers.map((number) =>
            sleep(number / 4).then(() =>
              (number % 2 ? other.features.orders : orders).cancel(id, 'key_1', AT),
            ),
          ),
        ]);
        const winner = shipped.changed ? 'shipped' : 'cancelled';
        wins[winner] += 1;
        delay = shipped.changed ? delay * 1.5 + 2 : delay / 1.5;
        expect(await orders.ship(id, AT)).toEqual({ status: winner, changed: false });
        expect([shipped, ...cancels].map(({ status }) => status)).toEqual(
          [shipped, ...cancels].map(() => winner),
        );
        expect([shipped, ...cancels].filter(({ changed }) => changed)).toHaveLength(1);
      }
      expect(Object.values(wins)).not.toContain(0);
      await other.close();
    });

    test('a long list is read in batches, and the store can be written between them', async () => {
      const count = 5000;
      await importAll(numbered(count));
      const seen: unknown[] = [];
      let batches = 0;
      for await (const batch of orders.shown.items()) {
        seen.push(...batch);
        batches += 1;
        expect(await orders.cancel(BigInt(batches), 'key_a', AT)).toMatchObject({ changed: true });
      }
      expect(batches).toBeGreaterThan(1);
      expect(seen).toEqual(numbered(count));
    });
  });
}

test('an order that cannot be cancelled is known at once while another process holds the write lock', async () => {
  const folder = newFolder();
  const store = await openSqliteStore(folder);
  const { orders } = store.features;
  await importOrders(orders, [
    { id: 1, status: 'shipped' },
    { id: 2, status: 'cancelled' },
  ]);
  const release = holdWriteLock(folder);
  const outcomes = await Promise.all([1n, 2n, 3n].map((id) => orders.cancel(id, 'key_a', AT)));
  release();
  expect(outcomes.map(({ status }) => status)).toEqual(['shipped', 'cancelled', undefined]);
  await store.close();
});

describeOrderStore('SQLite', () => {
  const folder = newFolder();
  return Promise.resolve(() => openSqliteStore(folder));
});

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeOrderStore('PostgreSQL', async () => {
    const url = await postgres.createDatabase();
    return () => openPostgresStore({ url });
  });

  test('a cancel waits for a transaction that holds its order, and does not delay the other cancels', async () => {
    const url = await postgres.createDatabase();
    const store = await openPostgresStore({ url });
    const { orders } = store.features;
    await importOrders(orders, numbered(2));
    const release = await postgres.hold(url, `UPDATE orders SET status = 'shipped' WHERE id = 1`);
    const waiting = orders.cancel(1n, 'key_1', AT);
    expect(await orders.cancel(2n, 'key_2', AT)).toMatchObject({ changed: true });
    await release();
    expect(await waiting).toEqual({ status: 'shipped', changed: false });
    expect((await storedOrders(orders)).map(({ status }) => status)).toEqual(['shipped', 'cancelled']);
    await store.close();
  });
});
