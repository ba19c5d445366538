/**
 * What a decision of the limiter costs by itself: `node limiter.js embedded FOLDER` or `node limiter.js redis URL`.
 * The limiter is the one that the service was built with.
 */
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '@petstore/contract/service';
import { openCountersFile } from '@petstore/server/dist/limits/counters-file.js';
import { createEmbeddedLimiter } from '@petstore/server/dist/limits/embedded-limiter.js';
import type { Limiter } from '@petstore/server/dist/limits/limiter.js';
import { connectRedis } from '@petstore/server/dist/limits/redis-client.js';
import { createRedisLimiter } from '@petstore/server/dist/limits/redis-limiter.js';
import { limitScript } from '@petstore/server/dist/limits/redis-script.js';
import { Redis } from 'ioredis';

/**
 * Microseconds per decision: of the limiter, and of what it is compared with. `commands` are those that Redis runs for
 * a decision, as a multiple of those for a bare EVALSHA.
 */
export type LimiterReport = Readonly<Record<string, number>>;

/** Keys, and decisions per second where they are paced. */
const PACE = 10_000;
/** Decisions until V8 has compiled what is slow. */
const WARM_UP = 4_000_000;
const policy = { refusalRatio: 1, duration: 900_000 };

const [kind, place = ''] = process.argv.slice(2);
console.log(JSON.stringify(kind === 'redis' ? await inRedis(place) : await embedded(place)));

function accountOf(number: number): Account {
  return { id: `key:${number}`, quota: { perMinute: 1e9, perDay: 1e9 }, banGeneration: 0 };
}

async function embedded(folder: string): Promise<LimiterReport> {
  const limiter = createEmbeddedLimiter({
    file: openCountersFile(path.join(folder, 'limits.db')),
    policy,
    now: Date.now,
    onError: (error) => {
      throw error;
    },
  });
  const keys = Array.from({ length: PACE }, (_, number) => accountOf(number));
  for (let done = 0; done < WARM_UP; done += 1) {
    void limiter.consume(keys[done % PACE] as Account);
    if (done % 1_000 === 0) await nextTurn();
  }
  const name = '10,000 keys, each once a second and written once a second';
  const report = { [name]: await pacedConsumes(limiter, keys, 3) };
  await limiter.close();
  return report;
}

/** CPU time per decision, for as long as the limiter writes something behind every second. */
async function pacedConsumes(
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
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (seconds * PACE);
}

async function inRedis(url: string): Promise<LimiterReport> {
  const unavailable = () => Promise.reject(new Error('Redis did not answer'));
  const limiter = createRedisLimiter({
    client: await connectRedis(url),
    policy,
    instances: 1,
    local: { consume: unavailable, peek: unavailable, close: () => Promise.resolve() },
    now: Date.now,
    onChange: () => {},
    // Only what an answer costs is measured here, on a machine that may be busy.
    deadline: 5_000,
  });
  const redis = new Redis(url);
  const sha = (await redis.script('LOAD', limitScript)) as string;
  const account = accountOf(1);
  const key = 'petstore:limit:{bare}';
  const request = {
    ...account.quota,
    banGeneration: 0,
    banAfter: 1e9,
    banDuration: policy.duration,
    consumes: true,
  };
  const decide = () => limiter.consume(account);
  const bare = () => redis.evalsha(sha, 1, key, JSON.stringify(request));

  const times: Record<string, number[]> = {};
  for (let round = 0; round < 10; round += 1) {
    for (const [who, way] of [
      ['limiter', decide],
      ['bare EVALSHA', bare],
    ] as const) {
      for (const [how, atOnce] of [
        ['one after the other', 1],
        ['16 at once', 16],
      ] as const) {
        const time = await perCall(way, atOnce, 1_600);
        // The first round warms up.
        if (round > 0) (times[`${who}, ${how}`] ??= []).push(time);
      }
    }
  }
  const commands = (await commandsOf(redis, decide)) / (await commandsOf(redis, bare));
  await limiter.close();
  redis.disconnect();
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
  return {
    ...Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)])),
    commands,
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
async function commandsOf(redis: Redis, way: () => unknown): Promise<number> {
  await redis.config('RESETSTAT');
  for (let count = 0; count < 100; count += 1) await way();
  const stats = (await redis.info('commandstats')).matchAll(/cmdstat_(\S+?):calls=(\d+)/g);
  return [...stats]
    .filter(([, name]) => name !== 'config|resetstat')
    .reduce((sum, [, , calls]) => sum + Number(calls), 0);
}
