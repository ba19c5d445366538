import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@kit/local-stack';
import { newFolder, scaled, shared, startPostgres } from '@kit/server/testing';
import type { Order, OrderStatus } from '../src/orders/order-row.ts';
import type { OrderStore } from '../src/orders/order-store.ts';
import { openPostgresStore, openSqliteStore, type Store } from './support/petstore.ts';
import { importOrders, numbered, storedOrders } from './support/store.ts';

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

    async function all(): Promise<Order[]> {
      const batches: string[] = [];
      for await (const batch of orders.jsonBatches()) batches.push(batch);
      return JSON.parse(`[${batches.join(',')}]`) as Order[];
    }

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

    test('the revision changes with the list, but not when an order is cancelled', async () => {
      const revisions = [await orders.revision()];
      const note = async () => void revisions.push(await orders.revision());
      await importAll([{ id: 1 }, { id: 2 }]);
      await note();
      await orders.ship(1n, AT);
      await note();
      await importAll([{ id: 3 }]);
      await note();
      expect(new Set(revisions).size).toBe(4);
      await orders.cancel(2n, 'key_1', AT);
      expect(await orders.revision()).toBe(revisions[3]);
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
      expect(await orders.cancel(1n, 'key_a', AT)).toBe('cancelled');
      expect(await orders.cancel(1n, 'key_b', AT)).toBe('already_cancelled');
      expect(await orders.ship(1n, AT)).toBe('already_cancelled');
      expect(await allStored()).toEqual([{ id: 1, status: 'cancelled' }]);
    });

    test('shipping a pending order sets the time, and leaves `complete` unchanged', async () => {
      await importAll([{ id: 1, shipDate: '2027-01-01T00:00:00.000Z', complete: false }]);
      expect(await orders.ship(1n, AT)).toBe('shipped');
      expect(await orders.ship(1n, new Date())).toBe('already_shipped');
      expect(await orders.cancel(1n, 'key_a', AT)).toBe('already_shipped');
      expect(await allStored()).toEqual([
        { id: 1, shipDate: AT.toISOString(), complete: false, status: 'shipped' },
      ]);
    });

    test('an unknown id is not found, and changes no order', async () => {
      await importAll([{ id: 1 }, { id: 9_007_199_254_740_991 }]);
      for (const id of [0n, 2n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)]) {
        expect([id, await orders.cancel(id, 'key_a', AT)]).toEqual([id, 'not_found']);
        expect([id, await orders.ship(id, AT)]).toEqual([id, 'not_found']);
      }
      expect((await allStored()).map(({ status }) => status)).toEqual(['pending', 'pending']);
    });

    test('concurrent cancels each get their own outcome', async () => {
      await importAll([{ id: 1 }, { id: 2, status: 'shipped' }, { id: 3, status: 'cancelled' }]);
      const ids = [1n, 2n, 3n, 4n, 1n];
      expect(await Promise.all(ids.map((id) => orders.cancel(id, 'key_a', AT)))).toEqual([
        ...['cancelled', 'already_shipped', 'already_cancelled', 'not_found', 'already_cancelled'],
      ]);
    });

    test('an order cancelled and shipped at once ends as one of the two, and every caller learns which', async () => {
      const other = await open();
      const outcomes = { shipped: 0, already_cancelled: 0 };
      // The shipment starts later after it won, and earlier after it lost, so that the race stays close.
      let delay = 0;
      for (let id = 1n; id <= scaled({ usually: 25, full: 1_000 }); id += 1n) {
        await importAll([{ id: Number(id) }]);
        const callers = Array.from({ length: scaled({ usually: 16, full: 64 }) }, (_, number) => number);
        const [shipped, ...cancels] = await Promise.all([
          sleep(delay).then(() => orders.ship(id, AT)),
          ...callers.map((number) =>
            sleep(number / 4).then(() =>
              (number % 2 ? other.features.orders : orders).cancel(id, 'key_1', AT),
            ),
          ),
        ]);
        if (shipped !== 'shipped' && shipped !== 'already_cancelled')
          throw new Error(`order ${id}: ${shipped}`);
        outcomes[shipped] += 1;
        delay = shipped === 'shipped' ? delay * 1.5 + 2 : delay / 1.5;
        expect((await allStored()).at(-1)?.status).toBe(shipped === 'shipped' ? 'shipped' : 'cancelled');
        const [one, others] =
          shipped === 'shipped' ? ['already_shipped', 'already_shipped'] : ['cancelled', 'already_cancelled'];
        expect(cancels.toSorted()).toEqual([...cancels.slice(1).map(() => others), one]);
      }
      expect(Object.values(outcomes)).not.toContain(0);
      await other.close();
    });

    test('a long list is read in batches, and the store can be written between them', async () => {
      const count = 5000;
      await importAll(numbered(count));
      const seen: unknown[] = [];
      let batches = 0;
      for await (const batch of orders.jsonBatches()) {
        seen.push(...(JSON.parse(`[${batch}]`) as unknown[]));
        batches += 1;
        expect(await orders.cancel(BigInt(batches), 'key_a', AT)).toBe('cancelled');
      }
      expect(batches).toBeGreaterThan(1);
      expect(seen).toEqual(numbered(count));
    });
  });
}

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
    expect(await orders.cancel(2n, 'key_2', AT)).toBe('cancelled');
    await release();
    expect(await waiting).toBe('already_shipped');
    expect((await storedOrders(orders)).map(({ status }) => status)).toEqual(['shipped', 'cancelled']);
    await store.close();
  });
});
