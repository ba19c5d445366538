import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, startPostgresServer, startRedisServer } from '@contract-kit/test-support';
import pg from 'pg';
import type { Place } from './data.ts';
import type { Run, Stops } from './run.ts';

/** Runs SQL in a PostgreSQL database, one statement after another. */
export async function runSql(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** PostgreSQL, which commits to disk as it does by default, and Redis: an empty database of each for every name. */
export async function startStores<Name extends string>(
  run: Run,
  stops: Stops,
  names: readonly Name[],
): Promise<Record<Name, Place>> {
  // PostgreSQL does not run as root, and its own user must be able to enter the folder.
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  chmodSync(folder, 0o711);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [postgresPort, redisPort] = [await freePort(), await freePort()];
  const postgres = await startPostgresServer({
    folder: path.join(folder, 'postgres'),
    port: postgresPort,
    maxConnections: 100,
    isThrownAway: false,
  });
  stops.push(() => postgres.end());
  const redis = await startRedisServer({ folder: path.join(folder, 'redis'), port: redisPort });
  stops.push(() => redis.end());

  const urlOf = (database: string) => `postgresql://postgres@127.0.0.1:${postgresPort}/${database}`;
  await runSql(urlOf('postgres'), ...names.map((_, index) => `CREATE DATABASE bench_${index}`));
  const places = names.map((name, index) => [
    name,
    {
      DATA_DIR: path.join(run.folder, `shared-${name}`),
      DATABASE_URL: urlOf(`bench_${index}`),
      REDIS_URL: `redis://127.0.0.1:${redisPort}/${index}`,
    },
  ]);
  return Object.fromEntries(places) as Record<Name, Place>;
}
