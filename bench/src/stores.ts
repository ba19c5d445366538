import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  freePort,
  notInstalled,
  type ProgramName,
  startPostgresServer,
  startRedisServer,
} from '@petstore/local-stack';
import { openStore } from '@petstore/server/src/store/open-store';
import type { Bench } from './bench.ts';
import { fill, type Data } from './data.ts';
import { exchange } from './exchange.ts';
import type { Server } from './server.ts';

/** A folder that other users can enter: PostgreSQL and the workers of nginx are others where this one is root. */
export function sharedFolder(bench: Bench): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  bench.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o711);
  return folder;
}

/** What is measured with these says so where they are missing. */
export function requireStores(...names: readonly ProgramName[]): void {
  const missing = notInstalled(...names);
  if (missing !== undefined) throw new Error(missing);
}

/**
 * PostgreSQL of this run's own, away from the core of the servers. Returns the URL of an empty database. It waits for the
 * disk only where `isDurable`, as it does by default.
 */
export async function startPostgres(bench: Bench, isDurable = false): Promise<string> {
  const port = await freePort();
  const folder = path.join(sharedFolder(bench), 'postgres');
  const server = await startPostgresServer({ folder, port, maxConnections: 100, isThrownAway: !isDurable });
  bench.onEnd(() => server.end('SIGINT'));
  return `postgresql://postgres@127.0.0.1:${port}/postgres`;
}

/** Redis or Valkey of this run's own. Returns its port. */
export async function startRedis(bench: Bench): Promise<number> {
  const port = await freePort();
  const server = await startRedisServer({ folder: path.join(bench.folder, 'redis'), port });
  bench.onEnd(() => server.end('SIGKILL'));
  return port;
}

/** Both, as the environment of a service. */
export async function startStores(bench: Bench): Promise<{ DATABASE_URL: string; REDIS_URL: string }> {
  requireStores('PostgreSQL', 'Redis');
  const redis = await startRedis(bench);
  return { DATABASE_URL: await startPostgres(bench, true), REDIS_URL: `redis://127.0.0.1:${redis}` };
}

export async function fillPostgres(bench: Bench, databaseUrl: string, count: number): Promise<Data> {
  const store = await openStore({ databaseUrl, dataDir: bench.folder, onError: () => {} });
  try {
    return { count, dataDir: bench.folder, ...(await fill(store, count)) };
  } finally {
    await store.close();
  }
}

/** Figures of a limiter that does not ask Redis are not those of Redis. */
export async function fallbackNote({ origin }: Server): Promise<string[]> {
  const { body } = await exchange(origin, { method: 'GET', target: '/metrics' });
  const isAlone = /^petstore_limiter_fallback 1$/m.test(body.toString());
  return isAlone ? ['Redis did not answer in time at the end: this instance was limiting alone.'] : [];
}
