import { consume, MINUTE, newCounters, peek, type Account } from '@contract-kit/core/limits';
import { Redis } from 'ioredis';
import { block } from '../support/block.ts';
import { noCountersFile } from '../../src/limits/counters-file.ts';
import { createEmbeddedLimiter } from '../../src/limits/embedded-limiter.ts';
import type { Limiter } from '../../src/limits/limiter.ts';
import { connectRedis } from '../../src/limits/redis-client.ts';
import { createRedisLimiter } from '../../src/limits/redis-limiter.ts';
import { describeWith } from '@contract-kit/test-support';
import { startRedis, type TestRedis, until } from '@contract-kit/test-support/testing';
import { createClock } from '../../src/testing/service.ts';

const policy = { refusalRatio: 1, duration: 15 * MINUTE };
const openEmbeddedLimiter = (now: () => number) =>
  createEmbeddedLimiter({ file: noCountersFile, policy, now, onError: () => undefined });

describeWith(['Redis'], 'the limiter in Redis', () => {
  let redis: TestRedis;
  const opened: Limiter[] = [];

  beforeEach(async () => {
    redis = await startRedis();
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((limiter) => limiter.close()));
    await redis.stop();
  });

  /**
   * A limiter with the clock of the test, and its changes of mode. Exact counts are tested without the deadline, which a
   * busy machine may miss.
   */
  async function open({ instances = 1, clock = createClock(), deadline = 10_000 } = {}) {
    const changes: string[] = [];
    const limiter = createRedisLimiter({
      name: 'library',
      client: await connectRedis(redis.url),
      policy,
      instances,
      local: openEmbeddedLimiter(clock),
      now: clock,
      serverClock: clock,
      onChange: (to) => {
        // A new reason is reported without a change of limiter.
        if (changes.at(-1) !== to) changes.push(to);
      },
      deadline,
    });
    opened.push(limiter);
    return { limiter, changes };
  }

  const key = (id: string, perMinute: number): Account => ({
    id: `key:${id}`,
    quota: { perMinute, perDay: 100_000 },
    banEpoch: 0,
  });

  // The embedded limiter decides by `consume` of windows.ts. It also forgets what is over, once a second of real time.
  test('decides as the embedded limiter does, for any sequence of requests', async () => {
    const clock = createClock();
    const { limiter } = await open({ clock });
    const countersOf = new Map<string, ReturnType<typeof newCounters>>();
    // A fixed sequence that looks random: the high bits of Numerical Recipes' linear congruential generator.
    let state = 2026;
    const pick = (below: number) => {
      state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return Math.floor((state / 2 ** 32) * below);
    };
    const steps = [0, 1, 250, 999, 5_000, 30_000, 59_999, 60_000, 3_600_000, 86_400_000, -500, -7_200_000];
    const quotas = [
      { perMinute: 3, perDay: 20 },
      { perMinute: 5, perDay: 7 },
      { perMinute: 2, perDay: 2 },
    ];
    let banEpoch = 0;
    for (let step = 0; step < 3_000; step += 1) {
      const who = pick(quotas.length + 1);
      // Now and then a quota is raised or lowered.
      const quota = quotas[who && pick(9) === 0 ? who - 1 : who];
      const account: Account = quota
        ? { id: `key:${who}`, quota, banEpoch }
        : { id: 'address:192.0.2.1', quota: { perMinute: 3, perDay: 20 } };
      if (pick(200) === 0) banEpoch += 1;
      if (pick(4) === 0) clock.advance(steps[pick(pick(5) === 0 ? steps.length : 6)] ?? 0);
      const counters = countersOf.get(account.id) ?? newCounters();
      countersOf.set(account.id, counters);
      if (pick(5) === 0)
        expect(await limiter.peek(account)).toEqual(peek(counters, account, policy, clock()));
      const decision = consume(counters, account, policy, clock());
      expect([step, await limiter.consume(account)]).toEqual([step, decision]);
      // To the exact end of a ban.
      if (decision.refusal?.isNewBan && pick(3) === 0) clock.advance(policy.duration);
    }
  });

  test('every key in Redis expires', async () => {
    const { limiter } = await open();
    for (let request = 0; request < 10; request += 1) await limiter.consume(key('e', 2));
    const client = new Redis(redis.url);
    const names = await client.keys('*');
    expect(names).toEqual(['library:limit:{key:e}']);
    expect(await client.pttl('library:limit:{key:e}')).toBeGreaterThan(0);
    client.disconnect();
  });

  test('while Redis is frozen each instance grants its share, known bans hold, and it recovers', async () => {
    const { limiter, changes } = await open({ instances: 4, deadline: 500 });
    for (let request = 0; request < 4; request += 1) await limiter.consume(key('banned', 2));
    await limiter.consume(key('c', 60));

    redis.freeze();
    const decisions = await Promise.all(
      Array.from({ length: 100 }, async () => await limiter.consume(key('c', 60))),
    );
    expect(decisions.filter((decision) => !decision.refusal)).toHaveLength(15);
    expect(
      decisions.every(({ limit, remaining, resetAt }) => limit > 0 && remaining >= 0 && resetAt > 0),
    ).toBe(true);
    expect((await limiter.consume(key('banned', 2))).refusal?.code).toBe('api_key_banned');
    expect((await limiter.peek(key('banned', 2))).remaining).toBe(0);
    expect(changes).toEqual(['fallback']);

    redis.thaw();
    await until(() => changes.length === 2);
    expect(changes).toEqual(['fallback', 'redis']);
    expect((await limiter.consume(key('d', 60))).remaining).toBe(59);
  });

  test('with more instances than requests in a quota, each instance still admits one request', async () => {
    redis.freeze();
    const { limiter } = await open({ instances: 1_000, deadline: 500 });
    const decision = await limiter.consume(key('j', 60));
    expect(decision).toMatchObject({ limit: 1, remaining: 0 });
    expect(decision.refusal).toBeUndefined();
    redis.thaw();
  });

  test('a stall of this process is not mistaken for one of Redis', async () => {
    const { limiter, changes } = await open({ deadline: 500 });
    for (let stall = 0; stall < 3; stall += 1) {
      const decision = limiter.consume(key('stall', 60));
      block(600);
      expect((await decision).remaining).toBe(59 - stall);
    }
    expect(changes).toEqual([]);
  });

  test.each([
    ['down', () => redis.stop(), () => redis.start()],
    ['frozen', () => Promise.resolve(redis.freeze()), () => Promise.resolve(redis.thaw())],
  ])('Redis may be %s at the start, come back and go away', async (_, leave, comeBack) => {
    await leave();
    const { limiter, changes } = await open({ deadline: 500 });
    expect((await limiter.consume(key('f', 60))).remaining).toBe(59);
    expect(changes).toEqual(['fallback']);
    await comeBack();
    await until(() => changes.at(-1) === 'redis');
    expect((await limiter.consume(key('g', 60))).remaining).toBe(59);
    await leave();
    expect((await limiter.consume(key('g', 60))).refusal).toBeUndefined();
    expect(changes).toEqual(['fallback', 'redis', 'fallback']);
  });
});
