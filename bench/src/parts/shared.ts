import type { Bench } from '../bench.ts';
import { checkConformance } from '../conformance.ts';
import { fill, MISSING_ID, type Data } from '../data.ts';
import { exchange } from '../exchange.ts';
import { startRaw } from '../raw.ts';
import { disturbanceNote, throughputTable, type PartResult, type Table } from '../result.ts';
import { measure, underLoad, type HttpLoad, type Measured } from '../rounds.ts';
import { startPetstore, type Server } from '../server.ts';
import { openStore } from '../../../apps/server/src/store/open-store.ts';
import { hasPostgres, hasRedis } from '@petstore/local-stack';
import { startPostgres, type TestPostgres } from '../../../apps/server/test/support/postgres.ts';
import { startRedis, type TestRedis } from '../../../apps/server/test/support/redis.ts';
import type { Part } from './part.ts';
import { RAW } from './servers.ts';

const FIRST_ID = 100;
const MAX_PER_SECOND = 10_000;

/** What instances share: PostgreSQL and Redis of this run's own, away from the core of the servers. */
export interface Shared {
  readonly env: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  readonly postgres: TestPostgres;
  readonly redis: TestRedis;
}

/** Undefined where a program is missing. */
export async function startShared(bench: Bench): Promise<Shared | undefined> {
  if (!hasPostgres || !hasRedis) return undefined;
  const postgres = await startPostgres();
  bench.onEnd(() => postgres.remove());
  const redis = await startRedis();
  bench.onEnd(() => redis.remove());
  const databaseUrl = await postgres.createDatabase();
  return { postgres, redis, databaseUrl, env: { DATABASE_URL: databaseUrl, REDIS_URL: redis.url } };
}

export async function fillShared(bench: Bench, databaseUrl: string, count: number): Promise<Data> {
  const store = await openStore({ databaseUrl, dataDir: bench.folder, onError: () => {} });
  try {
    return { count, dataDir: bench.folder, ...(await fill(store, count)) };
  } finally {
    await store.close();
  }
}

export const MISSING_PROGRAMS =
  'Not measured: PostgreSQL and Redis (or Valkey) are needed on this machine (Debian: postgresql, redis-server).';

/** The service on PostgreSQL and Redis. */
export const shared: Part = {
  name: 'shared',
  about: 'list of 100, cancel 204 and 409 with PostgreSQL and Redis',
  async run(bench: Bench): Promise<PartResult> {
    const title = 'PostgreSQL and Redis';
    bench.progress.step(`${title}: starting them`);
    const services = await startShared(bench);
    if (!services) return { title, tables: [], claims: [], notes: [MISSING_PROGRAMS] };

    const orders = await measureOn(bench, services, 'list of 100', 100, (key) => [
      load('GET', '/v1/store/orders', key, 'success', 'list of 100'),
    ]);
    const many = (2 + bench.rounds * bench.seconds) * MAX_PER_SECOND;
    const cancels = await measureOn(bench, services, 'cancel', many, (key) => [
      {
        ...load('DELETE', `/v1/store/orders/${MISSING_ID}`, key, 'success', 'cancel, 204'),
        firstId: FIRST_ID,
      },
      load('DELETE', '/v1/store/orders/2', key, 'failure', 'cancel, 409'),
    ]);
    return {
      title,
      tables: [...orders.tables, ...cancels.tables],
      claims: [],
      notes: [
        'One instance of the service; PostgreSQL, Redis and the load share the other core. PostgreSQL commits to disk as it does by default.',
        ...new Set([...orders.notes, ...cancels.notes]),
        ...disturbanceNote([...orders.measured, ...cancels.measured]),
      ],
    };
  },
};

interface NamedLoad extends HttpLoad {
  readonly name: string;
}

function load(
  method: HttpLoad['method'],
  target: string,
  key: string,
  outcome: HttpLoad['outcome'],
  name: string,
): NamedLoad {
  return { method, target, headers: { Authorization: `Bearer ${key}` }, outcome, name };
}

async function measureOn(
  bench: Bench,
  { postgres, env }: Shared,
  title: string,
  count: number,
  loads: (key: string) => NamedLoad[],
): Promise<{ tables: Table[]; measured: Measured[]; notes: string[] }> {
  const databaseUrl = await postgres.createDatabase();
  bench.progress.step(`PostgreSQL and Redis: writing ${count} orders`);
  const data = await fillShared(bench, databaseUrl, count);
  const ours = await startPetstore(bench, data, { env: { ...env, DATABASE_URL: databaseUrl } });
  const exchanged = await checkConformance('petstore', ours.origin, data, count <= 1000);
  const raw = await startRaw(bench, exchanged, RAW);
  const tables: Table[] = [];
  const all: Measured[] = [];
  for (const { name, ...each } of loads(data.key)) {
    const subject = (server: Server, label: string) => ({ ...underLoad(bench, server, each), name: label });
    const measured = await measure(bench, `PostgreSQL and Redis, ${title}`, [
      subject(raw, RAW),
      subject(ours, `petstore, ${name}`),
    ]);
    tables.push(throughputTable(measured, RAW));
    all.push(...measured);
  }
  return { tables, measured: all, notes: await fallbackNote(ours) };
}

/** Figures of a limiter that does not ask Redis are not those of Redis. */
export async function fallbackNote({ origin }: Server): Promise<string[]> {
  const { body } = await exchange(origin, { method: 'GET', target: '/metrics' });
  const isAlone = /^petstore_limiter_fallback 1$/m.test(body.toString());
  return isAlone ? ['Redis did not answer in time at the end: this instance was limiting alone.'] : [];
}
