import { describeWith } from '@contract-kit/test-support';
import type { KeyRecord } from '../../src/keys/key-store.ts';
import { rateLimitIn, shared, startPostgres, startRedis, until } from '@contract-kit/test-support/testing';
import { createClock } from '../../src/testing/service.ts';
import { startTestService, numbered, type TestService } from '../library/service.ts';

const INSTANCES = 4;

describeWith(['PostgreSQL', 'Redis'], 'four instances on one PostgreSQL and one Redis', () => {
  const postgres = shared(startPostgres);
  const redis = shared(startRedis);
  let services: TestService[];
  const clock = createClock();

  beforeAll(async () => {
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      INSTANCES: String(INSTANCES),
    };
    services = await Promise.all(Array.from({ length: INSTANCES }, () => startTestService({ env, clock })));
  });

  const first = () => services[0] as TestService;
  const instance = (number: number) => services[number % INSTANCES] as TestService;
  const list = (number: number, key: string) => instance(number).list(key);
  const cancel = (number: number, key: string, id: number) => instance(number).cancel(id, key);

  /** The log lines of an instance that starts or stops limiting alone. */
  const changes = (service: TestService) =>
    service.messages('Redis').filter((msg) => /^Redis (?:does not respond|responds again)/.test(msg));
  const areShared = (all = services) => all.every((service) => changes(service).length % 2 === 0);

  const troubles = (service: TestService) => [...changes(service), ...service.messages('database lost')];

  /** If a busy machine delays Redis or PostgreSQL, an instance rightly limits alone, or sends 503. Then `trial` runs again. */
  async function whileUndisturbed(trial: () => Promise<void>, all = services): Promise<void> {
    for (let missing = 4; ; missing -= 1) {
      await until(() => areShared(all));
      const before = all.flatMap(troubles).length;
      try {
        await trial();
        return;
      } catch (error) {
        if (missing === 0 || all.flatMap(troubles).length === before) throw error;
      }
    }
  }

  const BURST = 2_000;

  test(`of ${BURST} concurrent requests with a Free key exactly 60 succeed`, () =>
    whileUndisturbed(async () => {
      const key = await first().key('free');
      const responses = await Promise.all(Array.from({ length: BURST }, (_, number) => list(number, key)));
      const counts: Record<number, number> = {};
      for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
      expect(counts).toEqual({ 200: 60, 429: BURST - 60 });
    }));

  test('of two instances whose clocks differ by hours, exactly one quota is granted, and what one stores the other reads', async () => {
    const ahead = createClock(clock() + 2 * 60 * 60_000);
    const behind = createClock(clock() - 2 * 60 * 60_000);
    const env = { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url, INSTANCES: '2' };
    const wrong = await Promise.all([ahead, behind].map((now) => startTestService({ env, clock: now })));
    const [early, late] = wrong as [TestService, TestService];
    await whileUndisturbed(async () => {
      const key = await early.key('free');
      const list = (number: number) => (number % 2 === 0 ? early : late).list(key);
      const responses = await Promise.all(Array.from({ length: 200 }, (_, number) => list(number)));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(60);
    }, wrong);
    await early.addLoans([{ id: 1 }]);
    for (const [service, other] of [
      [early, late],
      [late, early],
    ] as const) {
      const { id, key } = await service.keyWithId();
      expect((await other.cancel(1, key)).status).toBe(204);
      await other.store.keys.revoke(id, new Date(other.clock()));
      for (const { clock } of wrong) clock.advance(5_000);
      expect((await service.cancel(1, key)).status).toBe(401);
    }
  });

  test('a ban by one instance holds on all at once, and an unban reaches all within 5 seconds', () =>
    whileUndisturbed(async () => {
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
    }));

  test('a changed plan holds on every instance within 5 seconds, and forgets no request', () =>
    whileUndisturbed(async () => {
      const { id, key } = await first().keyWithId('free');
      await Promise.all([0, 1, 2, 3].map((number) => list(number, key)));
      const { keys } = first().store;
      const before = (await keys.list()).find((record) => record.id === id) as KeyRecord;
      const after = { ...before, plan: 'pro', quota: { perMinute: 300, perDay: 10_000 } };
      const event = { at: '', action: 'changed', keyId: id, actor: 'ada' } as const;
      expect(await keys.change(id, before, after, event)).toBe(true);
      clock.advance(5_000);
      for (const number of [0, 1, 2, 3]) {
        const limits = rateLimitIn((await list(number, key)).headers);
        expect(limits).toMatchObject({ limit: 300, remaining: 295 - number });
      }
    }));

  test('a revoked key stops working on every instance within 5 seconds', async () => {
    const { id, key } = await first().keyWithId();
    for (const number of [0, 1, 2, 3]) expect((await list(number, key)).status).toBe(200);
    await first().store.keys.revoke(id, new Date(clock()));
    clock.advance(5_000);
    for (const number of [0, 1, 2, 3]) expect((await list(number, key)).status).toBe(401);
  });

  test('while Redis is frozen every response has its headers, and at most one extra quota is granted', async () => {
    const key = await first().key('free');
    await list(0, key);
    redis.freeze();
    const responses = await Promise.all(Array.from({ length: 400 }, (_, number) => list(number, key)));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(60);
    for (const { status, headers } of responses) {
      expect([200, 429]).toContain(status);
      expect(Object.values(rateLimitIn(headers))).not.toContain(undefined);
    }
    redis.thaw();
    // One line per change, not one per request.
    for (const service of services) expect(changes(service).length).toBeLessThan(10);
    await until(() => areShared());
  });

  test('while connections are cut and PostgreSQL restarts, responses are 2xx or 503', async () => {
    const key = await first().unlimitedKey();
    // A longer list is streamed, and then cut off.
    const loans = numbered(900);
    await first().addLoans(loans);
    const cancelled: number[] = [];
    const statuses = { list: [] as number[], cancel: [] as number[] };
    const answered = async (operation: 'list' | 'cancel', response: Response) => {
      const text = await response.text();
      if (operation === 'list' && response.status === 200) expect(JSON.parse(text)).not.toHaveLength(0);
      statuses[operation].push(response.status);
    };
    let isOver = false;
    const load = [0, 1, 2, 3].flatMap((number) => [
      (async () => {
        while (!isOver) await answered('list', await list(number, key));
      })(),
      (async () => {
        // A repeated cancel succeeds.
        for (let turn = number; !isOver; turn += INSTANCES) {
          const id = 1 + (turn % loans.length);
          const response = await cancel(number, key, id);
          if (response.status === 204) cancelled.push(id);
          await answered('cancel', response);
        }
      })(),
    ]);
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'library'`;
    const areServed = () =>
      until(async () => {
        const answers = await Promise.all([0, 1, 2, 3].map((number) => list(number, key)));
        return answers.every(({ status }) => status === 200);
      });
    for (let times = 0; times < 5; times += 1) {
      await postgres.run(cut);
      await areServed();
    }
    await postgres.stop();
    await until(() => statuses.list.includes(503) && statuses.cancel.includes(503));
    await postgres.start();
    await areServed();
    isOver = true;
    await Promise.all(load);
    expect(new Set(statuses.list)).toEqual(new Set([200, 503]));
    expect(new Set(statuses.cancel)).toEqual(new Set([204, 503]));
    const stored = new Set(await first().cancelled());
    expect(cancelled.filter((id) => !stored.has(id))).toEqual([]);
  });
});
