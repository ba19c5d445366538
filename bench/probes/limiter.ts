/**
 * What a decision of the limiter costs by itself: `node limiter.js embedded FOLDER` or `node limiter.js redis URL`.
 * The limiter is the one that the service was built with.
 */
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type * as Files from '../../apps/server/src/limits/counters-file.ts';
import type * as Embedded from '../../apps/server/src/limits/embedded-limiter.ts';
import type * as Clients from '../../apps/server/src/limits/redis-client.ts';
import type * as RedisLimiters from '../../apps/server/src/limits/redis-limiter.ts';
import type * as Scripts from '../../apps/server/src/limits/redis-script.ts';
import type { Account, Limiter } from '../../apps/server/src/limits/limiter.ts';

/** Microseconds per decision: of the limiter, and of what it is compared with. */
export interface LimiterReport {
  readonly names: readonly string[];
  readonly microseconds: readonly number[];
  /** Commands that Redis runs for a decision, as a multiple of those for a bare EVALSHA. */
  readonly commands?: number;
}

/** Keys, and decisions per second where they are paced. */
const PACE = 10_000;

const [kind, place = ''] = process.argv.slice(2);
const report = kind === 'redis' ? await inRedis(place) : await embedded(place);
console.log(JSON.stringify(report));

function built<Module>(file: string): Promise<Module> {
  return import(new URL(`../../../server/dist/limits/${file}`, import.meta.url).href) as Promise<Module>;
}

function accountOf(number: number): Account {
  return { id: `key:${number}`, quota: { perMinute: 1e9, perDay: 1e9 }, banGeneration: 0 };
}

async function embedded(folder: string): Promise<LimiterReport> {
  const { createEmbeddedLimiter } = await built<typeof Embedded>('embedded-limiter.js');
  const { openCountersFile } = await built<typeof Files>('counters-file.js');
  const limiter = createEmbeddedLimiter({
    file: openCountersFile(path.join(folder, 'limits.db')),
    policy: { refusalRatio: 1, duration: 900_000 },
    now: Date.now,
    onError: (error) => {
      throw error;
    },
  });
  const keys = Array.from({ length: PACE }, (_, number) => accountOf(number));
  await consumes(limiter, keys, 200_000);
  const microseconds = [
    await consumes(limiter, keys.slice(0, 1), 2_000_000),
    await consumes(limiter, keys, 2_000_000),
    await pacedCharges(limiter, keys, 3),
  ];
  await limiter.close();
  return {
    names: [
      'one key, as fast as possible',
      '10,000 keys in turn, as fast as possible',
      '10,000 keys, each once a second and written once a second',
    ],
    microseconds,
  };
}

/** CPU time per decision. */
async function consumes(limiter: Limiter, accounts: readonly Account[], count: number): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < count; done += 1) {
    void limiter.consume(accounts[done % accounts.length] as Account);
    if (done % 1_000 === 0) await nextTurn();
  }
  return cpuSince(before) / count;
}

/** The same for as long as the limiter writes something behind every second. */
async function pacedCharges(
  limiter: Limiter,
  accounts: readonly Account[],
  seconds: number,
): Promise<number> {
  const before = process.cpuUsage();
  const steps = seconds * 100;
  for (let step = 0, done = 0; step < steps; step += 1) {
    for (let end = done + PACE / 100; done < end; done += 1)
      void limiter.consume(accounts[done % PACE] as Account);
    await sleep(10);
  }
  return cpuSince(before) / (seconds * PACE);
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function inRedis(url: string): Promise<LimiterReport> {
  const { createRedisLimiter } = await built<typeof RedisLimiters>('redis-limiter.js');
  const { connectRedis } = await built<typeof Clients>('redis-client.js');
  const { limitScript } = await built<typeof Scripts>('redis-script.js');
  const policy = { refusalRatio: 1, duration: 900_000 };
  const unavailable = () => Promise.reject(new Error('Redis did not answer'));
  const limiter = createRedisLimiter({
    client: await connectRedis([url]),
    policy,
    instances: 1,
    local: { consume: unavailable, peek: unavailable, close: () => Promise.resolve() },
    now: Date.now,
    onChange: () => {},
    // Only what an answer costs is measured here, on a machine that may be busy.
    deadline: 5_000,
  });
  const bare = new Redis(url);
  const sha = (await bare.script('LOAD', limitScript)) as string;
  const account = accountOf(1);
  const { quota } = account;
  const ways: Record<string, () => unknown> = {
    limiter: () => limiter.consume(account),
    evalsha: () =>
      bare.evalsha(
        sha,
        1,
        'petstore:limit:{bare}',
        '',
        quota.perMinute,
        quota.perDay,
        0,
        1e9,
        policy.duration,
        'consume',
      ),
  };

  const times = new Map<string, number[]>();
  for (let round = 0; round < 10; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      for (const atOnce of [1, 16]) {
        const time = await perCall(way, atOnce, 1_600);
        if (round > 0) times.set(`${name} ${atOnce}`, [...(times.get(`${name} ${atOnce}`) ?? []), time]);
      }
    }
  }
  const [ofLimiter, ofBare] = [
    await commandsOf(bare, ways['limiter']),
    await commandsOf(bare, ways['evalsha']),
  ];
  await limiter.close();
  bare.disconnect();
  const names = ['limiter 1', 'evalsha 1', 'limiter 16', 'evalsha 16'];
  return {
    names,
    microseconds: names.map((name) => median(times.get(name) ?? [])),
    commands: ofLimiter / ofBare,
  };
}

async function perCall(way: () => unknown, atOnce: number, count: number): Promise<number> {
  const started = performance.now();
  const line = async () => {
    for (let done = 0; done < count / atOnce; done += 1) await way();
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  return ((performance.now() - started) * 1000) / count;
}

/** What 100 calls make Redis do, in commands; those inside the script count too. */
async function commandsOf(redis: Redis, way: (() => unknown) | undefined): Promise<number> {
  await redis.config('RESETSTAT');
  for (let count = 0; count < 100; count += 1) await way?.();
  const stats = (await redis.info('commandstats')).matchAll(/cmdstat_(\S+?):calls=(\d+)/g);
  return [...stats]
    .filter(([, name]) => name !== 'config|resetstat')
    .reduce((sum, [, , calls]) => sum + Number(calls), 0);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
