import { describeWith } from '@contract-kit/test-support';
import { startPostgres, shared, until } from '@contract-kit/test-support/testing';
import { breakTable, openPostgresStore, openSqliteStore, type Store } from '../support/petstore.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { importOrders, numbered } from '../support/store.ts';

const AT = new Date('2026-01-02T03:04:05.000Z');

/** Tests the cached list on every engine. `databaseUrl` makes a database if the engine needs one. */
function describeCachedList(engine: string, databaseUrl?: () => Promise<string>): void {
  describe(`the cached list over ${engine}`, () => {
    let service: TestService;
    let other: Store;
    let key: string;

    beforeAll(async () => {
      const url = await databaseUrl?.();
      service = await startTestService(url === undefined ? {} : { env: { DATABASE_URL: url } });
      other = await (url === undefined ? openSqliteStore(service.dataDir) : openPostgresStore({ url }));
      key = await service.unlimitedKey();
    });

    afterAll(async () => {
      await other.close();
    });

    async function listed(): Promise<{ id: number; shipDate?: string }[]> {
      const response = await service.list(key);
      expect(response.status).toBe(200);
      return (await response.json()) as { id: number; shipDate?: string }[];
    }

    const addTo = (store: Store, id: number) => importOrders(store.features.orders, [{ id }]);

    test('shows every change committed before the request, by this process or another, also under load', async () => {
      const count = 60;
      let newest = 0;
      let isDone = false;
      const readers = Array.from({ length: 8 }, async () => {
        while (!isDone) {
          const committed = newest;
          expect((await listed()).at(-1)?.id ?? 0).toBeGreaterThanOrEqual(committed);
        }
      });
      for (let id = 1; id <= count; id += 1) {
        const store = id % 2 === 0 ? service.store : other;
        await addTo(store, id);
        newest = id;
        expect((await listed()).at(-1)).toEqual({ id });
        await store.features.orders.ship(BigInt(id), AT);
        expect((await listed()).at(-1)).toEqual({ id, shipDate: AT.toISOString() });
      }
      isDone = true;
      await Promise.all(readers);
      expect((await listed()).map(({ id }) => id)).toEqual(numbered(count).map(({ id }) => id));
    });
  });
}

describeCachedList('SQLite');

test('while a list that may be cached is read again, one key can read it as often as it likes', async () => {
  const service = await startTestService({ validatesResponses: false });
  const key = await service.unlimitedKey();
  await service.addOrders(numbered(20_000));
  for (let id = 1n; id <= 3n; id += 1n) {
    await service.store.features.orders.ship(id, AT);
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.list(key)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
    const list = JSON.parse(texts[0] ?? '') as { id: number }[];
    expect(list).toHaveLength(20_000);
    expect(list.every((order, index) => order.id === index + 1)).toBe(true);
  }
});

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeCachedList('PostgreSQL', () => postgres.createDatabase());

  test('a list cached before a failover is not reused, although the standby counts from a lower revision', async () => {
    const url = await postgres.createDatabase();
    const service = await startTestService({ env: { DATABASE_URL: url } });
    const key = await service.key();
    await service.addOrders([{ id: 1 }, { id: 2 }]);
    const list = () => service.list(key);
    const { orders } = service.store.features;
    await orders.ship(1n, AT);
    expect(await (await list()).json()).toEqual([{ id: 1, shipDate: AT.toISOString() }, { id: 2 }]);
    // The standby did not receive the shipment.
    await postgres.run(
      `SET session_replication_role = replica;
       UPDATE orders SET status = 'pending', ship_date = NULL; UPDATE orders_revision SET revision = revision - 1`,
      url,
    );
    await postgres.stop();
    await postgres.start();
    await until(() => orders.ship(2n, AT).then(Boolean, () => false));
    expect(await (await list()).json()).toEqual([{ id: 1 }, { id: 2, shipDate: AT.toISOString() }]);
  });
});

test('the list is 503 while its revision cannot be read, even if it is cached', async () => {
  const service = await startTestService();
  const key = await service.key();
  expect((await service.list(key)).status).toBe(200);
  const repair = breakTable(service.dataDir, 'orders_revision');
  expect((await service.list(key)).status).toBe(503);
  repair();
  expect((await service.list(key)).status).toBe(200);
});
