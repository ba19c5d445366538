import { describeWith } from '@petstore/local-stack';
import pg from 'pg';
import { startPostgres, type TestPostgres } from './support/postgres.ts';
import { startTestService, type TestService } from './support/service.ts';

describeWith(['PostgreSQL'], 'the connections to PostgreSQL', () => {
  let postgres: TestPostgres;
  let service: TestService;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterEach(() => service.stop());
  afterAll(() => postgres.stop());

  test('a server that has no connection left fails no request, while there are some in the pool', async () => {
    const url = new URL(await postgres.createDatabase());
    await postgres.run('CREATE ROLE shop LOGIN CONNECTION LIMIT 2');
    await postgres.run(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO shop`);
    url.username = 'shop';
    service = await startTestService({ env: { DATABASE_URL: url.href } });
    const key = await service.key('enterprise', { perMinute: 1_000_000, perDay: 1_000_000 });
    await service.addOrders(Array.from({ length: 100 }, (_, index) => ({ id: index + 1 })));
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const target = `/v1/store/orders/${index + 1}`;
        return (await service.request(target, { method: 'DELETE', key })).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([204]));
  });

  test('a key that is refused asks for nothing with its 429s, nor with those of its ban', async () => {
    const url = await postgres.createDatabase();
    service = await startTestService({ env: { DATABASE_URL: url } });
    const key = await service.key('enterprise', { perMinute: 20, perDay: 100 });
    const request = async () => (await service.request('/v1/pets/1', { key })).status;
    for (let times = 0; times < 20; times += 1) expect(await request()).toBe(404);
    const other = new pg.Client(url);
    await other.connect();
    await other.query('BEGIN; LOCK TABLE api_keys');
    // Whoever asked for the key now would wait, and get a 503.
    for (let times = 0; times < 100; times += 1) expect(await request()).toBe(429);
    await other.end();
  });

  test('a table that somebody has locked leaves connections to the others, and to readiness', async () => {
    const url = await postgres.createDatabase();
    service = await startTestService({ env: { DATABASE_URL: url } });
    const key = await service.key('enterprise', { perMinute: 1_000_000, perDay: 1_000_000 });
    await service.addPets([{ id: 1 }]);
    const other = new pg.Client(url);
    await other.connect();
    await other.query('BEGIN; LOCK TABLE orders');
    const cancels = Array.from({ length: 20 }, (_, index) =>
      service.request(`/v1/store/orders/${index}`, { method: 'DELETE', key }),
    );
    expect((await service.request('/v1/pets/1', { key })).status).toBe(200);
    expect((await service.request('/readyz')).status).toBe(200);
    await other.query('COMMIT');
    await other.end();
    await Promise.all(cancels);
  });
});
