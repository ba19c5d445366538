import type { Account } from '@petstore/contract/service';
import { startRedisCluster, type TestRedisCluster } from './support/redis-cluster.ts';
import { openRedisLimiter } from './support/limiter.ts';
import { shared } from './support/shared.ts';
import { until } from './support/until.ts';
import { describeWith } from '@petstore/local-stack';

describeWith(['Redis'], 'the limiter in a Redis cluster', () => {
  const clusters = shared(async () => {
    const [plain, replicated] = await Promise.all([
      startRedisCluster({ masters: 3 }),
      startRedisCluster({ masters: 3, replicas: 1 }),
    ]);
    return { plain, replicated };
  });
  const urlsOf = ({ nodes }: TestRedisCluster) => nodes.map(({ url }) => url);

  test('works, because all of an account is in one slot', async () => {
    const { limiter, reasons } = await openRedisLimiter({ urls: urlsOf(clusters.plain) });
    for (const id of ['key:a', 'key:b', 'key:c', 'key:d', 'key:e', 'key:f']) {
      const account = { id, quota: { perMinute: 2, perDay: 10 }, banGeneration: 0 };
      expect((await limiter.consume(account)).remaining).toBe(1);
      await limiter.consume(account);
      expect((await limiter.consume(account)).refusal?.code).toBe('rate_limit_exceeded');
    }
    expect(reasons).toEqual([]);
  });

  test('the password in REDIS_URL is meant for every node, be it named there or not', async () => {
    await clusters.plain.protect('se/cret');
    const [first = '', second = ''] = urlsOf(clusters.plain);
    const urls = [first, second].map((url) => url.replace('//', '//:se%2Fcret@'));
    const { limiter, reasons } = await openRedisLimiter({ urls });
    const quota = { perMinute: 2, perDay: 10 };
    for (let number = 0; number < 20; number += 1) {
      expect((await limiter.consume({ id: `key:${number}`, quota, banGeneration: 0 })).limit).toBe(2);
    }
    expect(reasons).toEqual([]);
  });

  test('a replica that takes over from a frozen master is used, although the master still holds its connection', async () => {
    const { replicated } = clusters;
    const { limiter, changes } = await openRedisLimiter({ urls: urlsOf(replicated), deadline: 500 });
    // One account on each master, so that two of them are answered all the time.
    const accounts: Account[] = [];
    for (let number = 0; accounts.filter(Boolean).length < 3; number += 1) {
      const id = `key:${number}`;
      const quota = { perMinute: 1_000, perDay: 1_000 };
      accounts[await replicated.masterOf(`petstore:limit:{${id}}`)] ??= { id, quota, banGeneration: 0 };
    }
    const consumeAll = async () => {
      for (const account of accounts) await limiter.consume(account);
      return changes.at(-1);
    };
    await consumeAll();
    replicated.nodes[0]?.freeze();
    await until(async () => (await consumeAll()) === 'fallback');
    await until(async () => (await consumeAll()) === 'redis');
    // Without its own master again and again, were it asked about anybody else.
    expect(changes).toEqual(['fallback', 'redis']);
    for (const account of accounts) expect((await limiter.consume(account)).limit).toBe(1_000);
  });
});
