import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ask, startCluster, stopCluster, type Part as ClusterPart } from '@petstore/local-stack';
import { openPostgresDatabase } from '@petstore/server/src/database/postgres/database';
import { createKey } from '@petstore/server/src/keys/create-key';
import { TOUCH_SLICE } from '@petstore/server/src/keys/key-ring';
import { TOUCH_INTERVAL } from '@petstore/server/src/keys/key-store';
import { openPostgresStore } from '@petstore/server/src/store/open-postgres-store';
import type { BytesReport } from '../../probes/bytes-per-key.ts';
import type { Bench } from '../bench.ts';
import type { Part } from '../part.ts';
import { runProbe } from '../command.ts';
import { bearer, createKeys, LIST } from '../data.ts';
import { cpuTimeOf, leaveServerCore, parentOf } from '../machine.ts';
import type { Table } from '../result.ts';
import { underLoad, type HttpLoad } from '../rounds.ts';
import { petstore } from '../server.ts';
import { format } from '../statistics.ts';
import { requireStores, sharedFolder, startPostgres, startRedis } from '../stores.ts';

const MILLION = 1_000_000;
const LISTED = 100;
const FIRST_ID = 1_000;
const MAX_PER_SECOND = 10_000;
const onError = () => {};

/** The figures of docs/scaling.md. */
export const scaling: Part = {
  name: 'scaling',
  about: 'bytes per key, and CPU per request of each part of a cluster: docs/scaling.md',
  async run(bench) {
    requireStores('PostgreSQL', 'Redis', 'nginx');
    // A short run has fewer keys.
    const keys = Math.min(MILLION, 100_000 * bench.rounds * bench.seconds);
    return {
      title: 'Scaling',
      tables: [await bytesPerKey(bench, keys), await costPerRequest(bench)],
      claims: [],
      notes: [
        `${keys.toLocaleString('en-US')} keys that have sent a request today. The cluster has two instances, and shares all cores with the load.`,
      ],
    };
  },
};

async function bytesPerKey(bench: Bench, count: number): Promise<Table> {
  const counting = (place: string) =>
    runProbe<BytesReport>(bench, 'bytes-per-key', [String(count), place], ['--expose-gc']);
  bench.step('Scaling: the embedded limiter');
  const embedded = await counting(path.join(bench.folder, 'limits.db'));
  bench.step('Scaling: Redis');
  const redis = await startRedis(bench);
  const used = async () => Number(/used_memory:(\d+)/.exec((await ask(redis, 'INFO memory\r\n')) ?? '')?.[1]);
  const before = await used();
  await counting(`redis://127.0.0.1:${redis}`);
  const inRedis = ((await used()) - before) / count;
  bench.step('Scaling: PostgreSQL');
  const inPostgres = await postgresSizes(await startPostgres(bench), count);
  const touched = `the last use of ${inPostgres.touched.toLocaleString('en-US')} keys`;
  return {
    head: ['What', 'Figure'],
    rows: [
      ['Redis, bytes per key', format(inRedis)],
      ['embedded limiter, bytes of heap per key', format(embedded.heap)],
      ['… bytes on disk per key', format(embedded.file)],
      ['… µs per key at the start', format(embedded.loading)],
      ['PostgreSQL, bytes per key with its indexes', format(inPostgres.key)],
      ['… bytes per order with its index', format(inPostgres.order)],
      [`… ${touched}, seconds by one instance`, format(inPostgres.byOne)],
      [`… ${touched}, seconds by four at once`, format(inPostgres.byFour)],
    ],
  };
}

async function postgresSizes(url: string, count: number) {
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore({ url, onError })));
  const database = openPostgresDatabase({ url, onError });
  try {
    const [{ keys } = never()] = stores;
    await createKey(keys, { name: "Ada's shop", plan: 'free', now: new Date() });
    // As many rows like the one that the product itself has written. An order in full has all its fields.
    await database.transaction(async (client) => {
      await client.query(
        `INSERT INTO api_keys
         SELECT left(md5(n::text), length(id)), left(encode(sha256(n::text::bytea), 'hex'), length(digest)),
                name, plan, per_minute, per_day, unbans, created_at, created_at
         FROM api_keys, generate_series(1, $1::int) AS n`,
        [count],
      );
      await client.query(`${INSERT_ORDERS} generate_series(1, $1::int) AS n`, [count]);
    });
    const bytes = async (table: string) => {
      const sql = 'SELECT pg_total_relation_size($1) AS size';
      const [row] = await database.query<{ size: number }>('size', sql, [table]);
      return (row?.size ?? Number.NaN) / count;
    };
    const ids = (await keys.list()).slice(0, 100_000).map(({ id }) => id);
    let at = Date.now();
    // Each instance has met all of the keys, and notes it.
    const touch = async (instances: number) => {
      at += TOUCH_INTERVAL;
      const started = performance.now();
      await Promise.all(
        stores.slice(0, instances).map(async (store) => {
          for (let start = 0; start < ids.length; start += TOUCH_SLICE)
            await store.keys.touch(ids.slice(start, start + TOUCH_SLICE), new Date(at));
        }),
      );
      return (performance.now() - started) / 1000;
    };
    return {
      key: await bytes('api_keys'),
      order: await bytes('orders'),
      touched: ids.length,
      byOne: await touch(1),
      byFour: await touch(4),
    };
  } finally {
    await database.close();
    await Promise.all(stores.map((store) => store.close()));
  }
}

const INSERT_ORDERS = `INSERT INTO orders (id, pet_id, quantity, ship_date, complete)
  SELECT n, n, 1, '2026-12-01T09:00:00.000Z', false FROM`;

/** What each part of a cluster takes for a request. Linux alone. */
async function costPerRequest(bench: Bench): Promise<Table> {
  bench.step('Scaling: starting a cluster');
  leaveServerCore(false);
  bench.onEnd(() => leaveServerCore());
  const parts: ClusterPart[] = [];
  bench.onEnd(async () => {
    await stopCluster(parts);
  });
  const cluster = await startCluster({
    petstore,
    folder: sharedFolder(bench),
    instances: 2,
    onPart: (part) => void parts.push(part),
    signal: bench.signal,
  });
  bench.signal.throwIfAborted();
  const { databaseUrl: url, redisUrl, entry } = cluster;
  const store = await openPostgresStore({ url, onError });
  const { key, exhausted } = await createKeys(store.keys);
  await store.close();
  const database = openPostgresDatabase({ url, onError });
  bench.onEnd(() => database.close());
  const addOrders = (first: number, last: number) =>
    database.transaction((client) =>
      client.query(`${INSERT_ORDERS} generate_series($1::int, $2::int) AS n`, [first, last]),
    );

  const readings = async (): Promise<Record<string, number>> => {
    const cpu = (group: string) =>
      parts
        .filter(({ name, layer }) => (layer === 'instances' ? layer : name) === group)
        .reduce((sum, { program }) => sum + cpuTimeWithChildren(program.child.pid ?? 0), 0);
    const stats = await ask(Number(new URL(redisUrl).port), 'INFO commandstats\r\n');
    const [row] = await database.query<{ done: number }>(
      'transactions',
      'SELECT xact_commit + xact_rollback AS done FROM pg_stat_database WHERE datname = current_database()',
    );
    return {
      ...Object.fromEntries(PARTS.map((name) => [name, cpu(name)])),
      scripts: Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats ?? '')?.[1] ?? 0),
      transactions: row?.done ?? 0,
    };
  };
  const rows: string[][] = [];
  const cost = async (name: string, load: Omit<HttpLoad, 'target' | 'headers'>, key: string) => {
    bench.step(`Scaling: ${name}`);
    const through = { name, origin: entry, cpuTime: () => Number.NaN, peakMemory: () => Number.NaN };
    const subject = underLoad(bench, through, { ...load, target: LIST, headers: bearer(key) });
    await subject.run(2);
    const before = await readings();
    const { requests, perSecond } = await subject.run(bench.rounds * bench.seconds);
    // PostgreSQL brings its statistics up to date once a second.
    await database.query('wait', 'SELECT pg_sleep(1.5)');
    const after = await readings();
    const per = (what: string) => ((after[what] ?? 0) - (before[what] ?? 0)) / requests;
    rows.push([
      name,
      format(perSecond),
      ...[...PARTS, 'scripts', 'transactions'].map((what) => format(per(what))),
    ]);
  };
  await addOrders(4, LISTED);
  await cost(`a list of ${LISTED} orders`, { method: 'GET', outcome: 'success' }, key);
  await addOrders(FIRST_ID, FIRST_ID + MAX_PER_SECOND * (2 + bench.rounds * bench.seconds));
  await cost(
    'a cancel that changes an order',
    { method: 'DELETE', firstId: FIRST_ID, outcome: 'success' },
    key,
  );
  await fetch(entry + LIST, { headers: bearer(exhausted) });
  await cost('a refusal with 429', { method: 'GET', outcome: 'failure' }, exhausted);
  return {
    head: [
      'CPU µs per request',
      'requests/s',
      ...PARTS,
      'scripts of Redis per request',
      'transactions of PostgreSQL per request',
    ],
    rows,
  };
}

const PARTS = ['instances', 'nginx', 'Redis', 'PostgreSQL'];

/** Also of the workers of nginx and the backends of PostgreSQL. */
function cpuTimeWithChildren(pid: number): number {
  return readdirSync('/proc')
    .filter((each) => /^\d+$/.test(each) && (Number(each) === pid || parentOf(Number(each)) === pid))
    .reduce((sum, each) => sum + (cpuTimeOf(Number(each)) || 0), 0);
}

function never(): never {
  throw new Error('the cluster did not start');
}
