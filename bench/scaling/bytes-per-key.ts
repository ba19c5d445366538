import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { createKey } from '../../apps/server/src/keys/create-key.ts';
import { generateKeyId } from '../../apps/server/src/keys/api-key.ts';
import { noCountersFile, openCountersFile } from '../../apps/server/src/limits/counters-file.ts';
import { createEmbeddedLimiter } from '../../apps/server/src/limits/embedded-limiter.ts';
import type { Account, Limiter } from '../../apps/server/src/limits/limiter.ts';
import { connectRedis } from '../../apps/server/src/limits/redis-client.ts';
import { createRedisLimiter } from '../../apps/server/src/limits/redis-limiter.ts';
import { openPostgresDatabase } from '../../apps/server/src/database/postgres/database.ts';
import { openPostgresStore } from '../../apps/server/src/store/open-postgres-store.ts';
import { ask, freePorts, startPostgresServer, startRedisServer } from '@petstore/local-stack';
import { timeOfLastUses } from './last-uses.ts';

const policy = { refusalRatio: 1, duration: 900_000 };
const quota = { perMinute: 60, perDay: 1_000 };
const unexpected = (error: unknown) => {
  throw error;
};

/** A figure with what it is of. */
export type Figures = readonly (readonly [what: string, figure: string])[];

/** What one key takes that has sent a request today, wherever it is counted or kept. `folder` is filled with junk. */
export async function bytesPerKey(folder: string, count: number): Promise<Figures> {
  const [redisPort = 0, postgresPort = 0] = await freePorts(2);
  return [
    ...(await inProcess(folder, count)),
    ...(await inRedis(path.join(folder, 'redis'), redisPort, count)),
    ...(await inPostgres(path.join(folder, 'postgres'), postgresPort, count)),
  ];
}

/** Lets `count` accounts send a request each. */
async function consumeAll(limiter: Limiter, count: number): Promise<string> {
  let last = '';
  const one = async () => {
    const account: Account = { id: `key:${generateKeyId()}`, quota, banGeneration: 0 };
    last = account.id;
    await limiter.consume(account);
  };
  for (let done = 0; done < count; done += 100) await Promise.all(Array.from({ length: 100 }, one));
  return last;
}

async function inProcess(folder: string, count: number): Promise<Figures> {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'limits.db');
  const open = () =>
    createEmbeddedLimiter({ file: openCountersFile(file), policy, now: Date.now, onError: unexpected });
  const heap = () => {
    global.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const limiter = open();
  await consumeAll(limiter, count);
  // Closing stores what was counted; the counters stay for as long as the limiter is held.
  await limiter.close();
  const taken = heap() - before;
  const started = performance.now();
  const again = open();
  const loading = performance.now() - started;
  await again.close();
  const state = await limiter.peek({ id: 'key:none', quota });
  if (state.remaining !== quota.perMinute) throw new Error('the limiter is gone');
  return [
    ['embedded limiter: heap, bytes per key', (taken / count).toFixed(0)],
    ['embedded limiter: limits.db, bytes per key', (statSync(file).size / count).toFixed(0)],
    [
      'embedded limiter: reading limits.db at the start, microseconds per key',
      ((1000 * loading) / count).toFixed(1),
    ],
  ];
}

async function inRedis(folder: string, port: number, count: number): Promise<Figures> {
  const server = await startRedisServer({ folder, port });
  const used = async () => Number(/used_memory:(\d+)/.exec((await ask(port, 'INFO memory\r\n')) ?? '')?.[1]);
  try {
    const before = await used();
    const limiter = createRedisLimiter({
      client: await connectRedis([`redis://127.0.0.1:${port}`]),
      policy,
      instances: 1,
      local: createEmbeddedLimiter({ file: noCountersFile, policy, now: Date.now, onError: unexpected }),
      now: Date.now,
      onChange: (to, reason) => {
        if (to === 'fallback') unexpected(reason);
      },
      deadline: 10_000,
    });
    const last = await consumeAll(limiter, count);
    await limiter.close();
    const taken = (await used()) - before;
    const usage = await ask(port, `MEMORY USAGE petstore:limit:{${last}}\r\n`);
    return [
      ['Redis: used_memory, bytes per key', (taken / count).toFixed(0)],
      ['Redis: MEMORY USAGE of one key, bytes', usage?.slice(1).trim() ?? ''],
    ];
  } finally {
    await server.end();
  }
}

async function inPostgres(folder: string, port: number, count: number): Promise<Figures> {
  const server = await startPostgresServer({ folder, port, maxConnections: 20, isThrownAway: true });
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  try {
    const store = await openPostgresStore({ url, onError: () => {} });
    await createKey(store.keys, { name: "Ada's shop", plan: 'free', now: new Date() });
    await store.close();
    const database = openPostgresDatabase({ url, onError: () => {} });
    // As many rows like the one that the product itself has written. An order in full has all its fields.
    await database.transaction(async (client) => {
      await client.query(
        `INSERT INTO api_keys
         SELECT left(md5(n::text), length(id)), left(encode(sha256(n::text::bytea), 'hex'), length(digest)),
                name, plan, per_minute, per_day, ban_generation, created_at, created_at
         FROM api_keys, generate_series(1, $1::int) AS n`,
        [count],
      );
      await client.query(
        `INSERT INTO orders (pet_id, quantity, ship_date, complete)
         SELECT n, 1, '2026-12-01T09:00:00.000Z', false FROM generate_series(1, $1::int) AS n`,
        [count],
      );
    });
    const size = async (table: string) => {
      const sql = 'SELECT pg_total_relation_size($1) AS size';
      const [row] = await database.query<{ size: number }>('size', sql, [table]);
      return ((row?.size ?? 0) / count).toFixed(0);
    };
    const sizes: Figures = [
      ['PostgreSQL: a key with its indexes, bytes', await size('api_keys')],
      ['PostgreSQL: an order with its index, bytes', await size('orders')],
    ];
    await database.close();
    const used = Math.min(count, 100_000);
    const { one, four } = await timeOfLastUses(url, used);
    return [
      ...sizes,
      [`PostgreSQL: noting the last use of ${used} keys by one instance, seconds`, (one / 1000).toFixed(1)],
      ['PostgreSQL: … by four instances at once, seconds', (four / 1000).toFixed(1)],
    ];
  } finally {
    await server.end('SIGINT');
  }
}
