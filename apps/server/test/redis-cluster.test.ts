import { noCountersFile } from '../src/limits/counters-file.ts';
import { createEmbeddedLimiter } from '../src/limits/embedded-limiter.ts';
import type { Limiter } from '../src/limits/limiter.ts';
import { connectRedis } from '../src/limits/redis-client.ts';
import { createRedisLimiter } from '../src/limits/redis-limiter.ts';
import { MINUTE, type Account } from '@petstore/contract/service';
import { startRedisCluster, type TestRedisCluster } from './support/redis-cluster.ts';
import { until } from './support/until.ts';
import { describeWith } from '@petstore/local-stack';

const policy = { refusalRatio: 1, duration: 15 * MINUTE };
const fail = (error: unknown) => {
  throw error;
};

describeWith(['Redis'], 'the limiter in a Redis cluster', () => {
  let cluster: TestRedisCluster;
  let limiter: Limiter | undefined;

  afterEach(async () => {
    await limiter?.close();
    await cluster.stop();
  });

  async function open(
    deadline: number,
    onChange: (to: string, reason: unknown) => void,
    urls = cluster.nodes.map(({ url }) => url),
  ): Promise<Limiter> {
    limiter = createRedisLimiter({
      client: await connectRedis(urls),
      policy,
      instances: 4,
      local: createEmbeddedLimiter({ file: noCountersFile, policy, now: Date.now, onError: fail }),
      now: Date.now,
      deadline,
      onChange,
    });
    return limiter;
  }

  test('works, because all of an account is in one slot', async () => {
    cluster = await startRedisCluster({ masters: 3 });
    const opened = await open(10_000, (to, reason) => fail(reason ?? to));
    for (const id of ['key:a', 'key:b', 'key:c', 'key:d', 'key:e', 'key:f']) {
      const account = { id, quota: { perMinute: 2, perDay: 10 }, banGeneration: 0 };
      expect((await opened.consume(account)).remaining).toBe(1);
      await opened.consume(account);
      expect((await opened.consume(account)).refusal?.code).toBe('rate_limit_exceeded');
    }
  });

  test('the password in REDIS_URL is meant for every node, be it named there or not', async () => {
    cluster = await startRedisCluster({ masters: 3 });
    await cluster.protect('se/cret');
    const urls = cluster.nodes.slice(0, 2).map(({ url }) => url.replace('//', '//:se%2Fcret@'));
    const opened = await open(10_000, (to, reason) => fail(reason ?? to), urls);
    const quota = { perMinute: 2, perDay: 10 };
    for (let number = 0; number < 20; number += 1) {
      expect((await opened.consume({ id: `key:${number}`, quota, banGeneration: 0 })).limit).toBe(2);
    }
  });

  test('a replica that takes over from a frozen master is used, although the master still holds its connection', async () => {
    cluster = await startRedisCluster({ masters: 3, replicas: 1 });
    const changes: string[] = [];
    // Another reason is told of as well, and is no change of who limits.
    const opened = await open(500, (to) => to !== changes.at(-1) && changes.push(to));
    // One account on each master, so that two of them are answered all the time.
    const accounts: Account[] = [];
    for (let number = 0; accounts.filter(Boolean).length < 3; number += 1) {
      const id = `key:${number}`;
      const quota = { perMinute: 1_000, perDay: 1_000 };
      accounts[await cluster.masterOf(`petstore:limit:{${id}}`)] ??= { id, quota, banGeneration: 0 };
    }
    const consumeAll = async () => {
      for (const account of accounts) await opened.consume(account);
      return changes.at(-1);
    };
    await consumeAll();
    cluster.nodes[0]?.freeze();
    await until(async () => (await consumeAll()) === 'fallback');
    await until(async () => (await consumeAll()) === 'redis', { within: 30_000 });
    // Without its own master again and again, were it asked about anybody else.
    expect(changes).toEqual(['fallback', 'redis']);
    for (const account of accounts) expect((await opened.consume(account)).limit).toBe(1_000);
  });
});
