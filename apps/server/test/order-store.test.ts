import type { Order } from '@petstore/contract';
import { describeWith } from '@kit/local-stack';
import { newFolder, shared, startPostgres } from '@kit/server/testing';
import type { OrderStatus, OrderStore } from '../src/orders/order-store.ts';
import { openPostgresStore, openSqliteStore, type Store } from './support/petstore.ts';
import { importOrders, numbered, storedOrders } from './support/store.ts';

const AT = new Date('2026-11-21T12:00:00.000Z');

/** What every engine that orders are kept in promises. `open` opens an empty store. */
function describeOrderStore(engine: string, open: () => Promise<Store>): void {
  describe(`orders in ${engine}`, () => {
    let store: Store;
    let orders: OrderStore;

    beforeEach(async () => {
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

    test('an order without an id gets one above all others', async () => {
      await importAll([{ petId: 1 }, { id: 40, petId: 2 }, { petId: 3 }]);
      expect(await all()).toEqual([
        { id: 40, petId: 2 },
        { id: 41, petId: 1 },
        { id: 42, petId: 3 },
      ]);
      await importAll([{ petId: 4 }]);
      expect((await all()).at(-1)).toEqual({ id: 43, petId: 4 });
    });

    test('an import with ids that are there already stores nothing and names each', async () => {
      await importAll([{ id: 1 }, { id: 2 }]);
      const conflicts = await importAll([{ id: 3 }, { id: 2 }, { id: 1, petId: 9 }]);
      expect(conflicts).toEqual([
        { line: 2, id: 2 },
        { line: 3, id: 1 },
      ]);
      expect(await all()).toEqual([{ id: 1 }, { id: 2 }]);
    });

    test('nothing of an import is seen before it is committed, nor once it is abandoned', async () => {
      const underway = await orders.beginImport();
      await underway.stage([{ id: 1, status: 'pending', line: 1 }]);
      expect(await all()).toEqual([]);
      await underway.abandon();
      expect(await all()).toEqual([]);
      expect(await importAll([{ id: 1 }])).toEqual([]);
    });

    test('a pending order is cancelled, and stays so', async () => {
      await importAll([{ id: 1 }]);
      expect(await orders.cancel(1n, 'key_a', AT)).toBe('cancelled');
      expect(await orders.cancel(1n, 'key_b', AT)).toBe('already_cancelled');
      expect(await orders.ship(1n, AT)).toBe('already_cancelled');
      expect(await allStored()).toEqual([{ id: 1, status: 'cancelled' }]);
    });

    test('a pending order is shipped now, and whether it is complete stays as it was', async () => {
      await importAll([{ id: 1, shipDate: '2027-01-01T00:00:00.000Z', complete: false }]);
      expect(await orders.ship(1n, AT)).toBe('shipped');
      expect(await orders.ship(1n, new Date())).toBe('already_shipped');
      expect(await orders.cancel(1n, 'key_a', AT)).toBe('already_shipped');
      expect(await allStored()).toEqual([
        { id: 1, shipDate: AT.toISOString(), complete: false, status: 'shipped' },
      ]);
    });

    test.each([0n, 2n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)])(
      'no order has the id %s, and no other is touched',
      async (id) => {
        await importAll([{ id: 1 }, { id: 9_007_199_254_740_991 }]);
        expect(await orders.cancel(id, 'key_a', AT)).toBe('not_found');
        expect(await orders.ship(id, AT)).toBe('not_found');
        expect((await allStored()).map(({ status }) => status)).toEqual(['pending', 'pending']);
      },
    );

    test('each of several cancels at once gets its own outcome', async () => {
      await importAll([{ id: 1 }, { id: 2, status: 'shipped' }, { id: 3, status: 'cancelled' }]);
      const ids = [1n, 2n, 3n, 4n, 1n];
      expect(await Promise.all(ids.map((id) => orders.cancel(id, 'key_a', AT)))).toEqual([
        ...['cancelled', 'already_shipped', 'already_cancelled', 'not_found', 'already_cancelled'],
      ]);
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

describeOrderStore('SQLite', () => openSqliteStore(newFolder()));

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeOrderStore('PostgreSQL', async () => openPostgresStore({ url: await postgres.createDatabase() }));
});
