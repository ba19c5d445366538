import { mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { Redis } from 'ioredis';
import {
  newFolder,
  rateLimitIn,
  startRedis,
  type TestRedis,
  until,
} from '@contract-kit/test-support/testing';
import { startTestService, type TestService } from '../library/service.ts';

/* Errors that Redis reports: the log names each, and the service recovers when the cause is gone. */

const messages = (service: TestService) => service.messages('Redis');

/** Other messages may come first: on a busy machine a response may take longer than Redis has for it. */
const untilReported = (service: TestService, reason: RegExp) =>
  until(() => messages(service).some((message) => reason.test(message)));

describeWith(['Redis'], 'a Redis that refuses to count', () => {
  let redis: TestRedis;
  let operator: Redis;
  const folder = newFolder();

  beforeAll(async () => {
    redis = await startRedis('--dir', folder, '--databases', '4');
    operator = new Redis(redis.url);
  });

  afterAll(() => operator.disconnect());

  /** Requests a list as one of two instances. Resolves to the remaining requests. */
  async function remaining(service: TestService, key: string): Promise<number | undefined> {
    const response = await service.list(key);
    expect(response.status).toBe(200);
    return rateLimitIn(response.headers).remaining;
  }

  const start = (url: string) => startTestService({ env: { REDIS_URL: url, INSTANCES: '2' } });

  const whole = path.join(folder, 'dump.rdb');
  const save = async () => {
    await operator.bgsave();
    await until(async () => (await operator.info('persistence')).includes('rdb_bgsave_in_progress:0'));
  };

  const faults = [
    {
      what: 'has no memory left',
      reason: /: OOM command not allowed when used memory > 'maxmemory'/,
      begin: () => operator.config('SET', 'maxmemory', '1'),
      end: () => operator.config('SET', 'maxmemory', '0'),
    },
    {
      what: 'is the replica of another after a failover',
      reason: /: READONLY You can't write against a read only replica/,
      begin: () => operator.replicaof('127.0.0.1', '1'),
      end: () => operator.replicaof('NO', 'ONE'),
    },
    {
      what: 'cannot write its file',
      reason: /: MISCONF .+ unable to persist to disk/,
      async begin() {
        mkdirSync(whole);
        await operator.config('SET', 'save', '3600 1000000');
        await save();
      },
      async end() {
        rmdirSync(whole);
        await save();
      },
    },
  ];

  test.each(faults)(
    'one that $what is reported, even at the start, and each instance grants its share meanwhile',
    async ({ reason, begin, end }) => {
      const service = await start(redis.url);
      const key = await service.key('free');
      expect(await remaining(service, key)).toBe(59);
      await begin();
      expect(await remaining(service, key)).toBe(29);
      await untilReported(service, reason);
      const late = await start(redis.url);
      await untilReported(late, reason);
      expect(await service.readiness()).toEqual([200, undefined]);
      await end();
      for (const item of [service, late])
        await untilReported(item, /^Redis responds again; limits are shared$/);
      expect(await remaining(service, key)).toBe(58);
    },
  );

  const refused = [503, 'Redis rejects the credentials or the database in REDIS_URL'];

  test.each([
    ['to run a script', ['-eval', '-evalsha'], /: NOPERM .+ 'eval'/],
    ['these keys', ['resetkeys', '~other:*'], /: NOPERM .+ access one of the keys/],
  ])('one that does not allow the user %s is not ready, and no request fails', async (_, rules, reason) => {
    await operator.acl('SETUSER', 'shop', 'reset', 'on', '>secret', '~*', '+@all', ...rules);
    const service = await start(redis.url.replace('redis://', 'redis://shop:secret@'));
    await untilReported(service, reason);
    expect(await remaining(service, await service.key('free'))).toBe(29);
    expect(await service.readiness()).toEqual(refused);
    await operator.acl('SETUSER', 'shop', 'allkeys', '+@all');
    await until(async () => (await service.readiness())[0] === 200);
  });

  test('one that is stopped is not mistaken for one that accepts connections', async () => {
    const stopped = await startRedis();
    const service = await start(stopped.url);
    const key = await service.key('free');
    await stopped.stop();
    expect(await remaining(service, key)).toBe(29);
    await untilReported(service, /: (?:it closed the connection|connect ECONNREFUSED)/);
  });

  test('one that worked and falls silent is not suspected of TLS', async () => {
    const silent = await startRedis();
    const service = await start(silent.url);
    silent.freeze();
    expect(await remaining(service, await service.key('free'))).toBe(29);
    await untilReported(service, /: it accepts connections but does not respond$/);
  });

  test.concurrent('one with fewer databases is not ready, and no other database is used', async () => {
    await operator.flushall();
    const service = await start(`${redis.url}/4`);
    const key = await service.key('free');
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await operator.info('stats'))?.[1]);
    const before = await connections();
    // The service replaces the connection.
    await until(async () => (await connections()) > before);
    expect(await remaining(service, key)).toBe(29);
    expect(await service.readiness()).toEqual(refused);
    await untilReported(service, /: ERR DB index is out of range; each of 2/);
    expect(await operator.dbsize()).toBe(0);
    const third = await start(`${redis.url}/3`);
    expect([await third.readiness(), messages(third)]).toEqual([[200, undefined], []]);
  });
});
