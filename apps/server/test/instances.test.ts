import { startPostgres, type TestPostgres } from './support/postgres.ts';
import { startRedis, type TestRedis } from './support/redis.ts';
import { createClock, removeTestFolders, startTestService, type TestService } from './support/service.ts';
import { until } from './support/until.ts';
import { describeWith } from './support/when-installed.ts';

const INSTANCES = 4;

describeWith(['PostgreSQL', 'Redis'], 'four instances on one PostgreSQL and one Redis', () => {
  let postgres: TestPostgres;
  let redis: TestRedis;
  let services: TestService[];
  const clock = createClock();

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      INSTANCES: String(INSTANCES),
    };
    services = await Promise.all(Array.from({ length: INSTANCES }, () => startTestService({ env, clock })));
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all([postgres.remove(), redis.remove()]);
    removeTestFolders();
  });

  const first = () => services[0] as TestService;
  const instance = (number: number) => services[number % INSTANCES] as TestService;
  const list = (number: number, key: string) => instance(number).request('/v1/store/orders', { key });
  const cancel = (number: number, key: string, id: number) =>
    instance(number).request(`/v1/store/orders/${id}`, { method: 'DELETE', key });
  const unlimited = () => first().key('enterprise', { perMinute: 1_000_000, perDay: 1_000_000 });

  async function statusOf(id: number): Promise<string | undefined> {
    for await (const page of first().store.orders.storedPages()) {
      const order = page.find((each) => each.id === id);
      if (order) return order.status;
    }
    return undefined;
  }

  test('of 2,000 requests at once of a Free key exactly 60 are admitted', async () => {
    const key = await first().key('free');
    const responses = await Promise.all(Array.from({ length: 2_000 }, (_, number) => list(number, key)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(1_940);
  });

  test('a ban that one instance decides holds on the others at once, and an unban reaches all within 5 seconds', async () => {
    const { id, key } = await first().keyWithId('free');
    await Promise.all(Array.from({ length: 130 }, () => list(0, key)));
    for (const number of [1, 2, 3]) {
      expect(await (await list(number, key)).json()).toMatchObject({ code: 'api_key_banned' });
    }
    await first().store.keys.unban(id);
    clock.advance(5_000);
    for (const number of [0, 1, 2, 3]) {
      expect(await (await list(number, key)).json()).not.toMatchObject({ code: 'api_key_banned' });
    }
  });

  test('a revoked key stops working on every instance within 5 seconds', async () => {
    const { id, key } = await first().keyWithId();
    for (const number of [0, 1, 2, 3]) expect((await list(number, key)).status).toBe(200);
    await first().store.keys.revoke(id, new Date(clock()));
    clock.advance(5_000);
    for (const number of [0, 1, 2, 3]) expect((await list(number, key)).status).toBe(401);
  });

  test('an order that is cancelled and shipped at once ends as one of the two, and everybody is told the same', async () => {
    const key = await unlimited();
    for (let id = 1; id <= 25; id += 1) {
      await first().addOrders([{ id }]);
      const [shipped, ...cancels] = await Promise.all([
        instance(id).store.orders.ship(BigInt(id), new Date(clock())),
        ...Array.from({ length: 64 }, (_, number) => cancel(number, key, id)),
      ]);
      const statuses = new Set(cancels.map(({ status }) => status));
      if (shipped === 'shipped') expect([await statusOf(id), statuses]).toEqual(['shipped', new Set([409])]);
      else
        expect([shipped, await statusOf(id), statuses]).toEqual([
          'already_cancelled',
          'cancelled',
          new Set([204]),
        ]);
    }
  });

  test('while Redis is frozen every answer has its headers, and at most one quota more is granted', async () => {
    const key = await first().key('free');
    await list(0, key);
    redis.freeze();
    const responses = await Promise.all(Array.from({ length: 400 }, (_, number) => list(number, key)));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(60);
    for (const { status, headers } of responses) {
      expect([200, 429]).toContain(status);
      expect(Number(headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
      expect(headers.get('x-ratelimit-remaining')).not.toBeNull();
      expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
    }
    redis.thaw();
    await until(() =>
      services.every(({ logged }) =>
        logged.some(({ msg }) => msg === 'Redis answers again; limits are shared'),
      ),
    );
    for (const { logged } of services) {
      expect(logged.filter(({ msg }) => String(msg).startsWith('Redis does not answer'))).toHaveLength(1);
    }
  });

  test('while PostgreSQL restarts there are answers and 503s, and nothing else', async () => {
    const key = await unlimited();
    const statuses: number[] = [];
    let isOver = false;
    const load = [0, 1, 2, 3].map(async (number) => {
      while (!isOver) {
        const response = await list(number, key);
        await response.text();
        statuses.push(response.status);
        if (response.status === 503)
          expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
    });
    await postgres.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'petstore'`,
    );
    await postgres.stop();
    await until(() => statuses.includes(503));
    await postgres.start();
    await until(async () => {
      const answers = await Promise.all([0, 1, 2, 3].map((number) => list(number, key)));
      return answers.every(({ status }) => status === 200);
    });
    isOver = true;
    await Promise.all(load);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });
});
