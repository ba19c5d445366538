import pg from 'pg';
import { type Program, freePort, startPostgresServer } from '../index.ts';
import { stopAtEnd } from './at-end.ts';
import { newFolder } from './folder.ts';

export interface PostgresOptions {
  /** By default a free one. */
  readonly port?: number;
  /** The port of the server that it follows as a standby. */
  readonly standbyOf?: number;
}

/** A PostgreSQL server on a loopback port, in a temporary folder. It stops with the suite. */
export async function startPostgres({ standbyOf, ...at }: PostgresOptions = {}) {
  const folder = newFolder();
  const port = at.port ?? (await freePort());
  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  let server: Program | undefined;
  let databases = 0;

  async function connect(to: string): Promise<pg.Client> {
    const client = new pg.Client(to);
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** Runs a statement as the superuser, by default in the database that every server has. */
  async function run<Row = unknown>(sql: string, database = url('postgres')): Promise<Row[]> {
    const client = await connect(database);
    return client
      .query(sql)
      .then(({ rows }) => rows as Row[])
      .finally(() => client.end());
  }

  /** Holds the lock that `sql` takes in a database. Returns a function that releases it. */
  async function hold(database: string, sql: string): Promise<() => Promise<void>> {
    const client = await connect(database);
    await client.query(`BEGIN; ${sql}`);
    return () => client.query('COMMIT').then(() => client.end());
  }

  async function start(): Promise<void> {
    server = await startPostgresServer({ folder, port, maxConnections: 100, isThrownAway: true, standbyOf });
  }

  /** Stops it as for a restart, which cuts its connections. */
  const stop = async () => server?.end();
  stopAtEnd('database', stop);
  await start();
  return {
    port,
    run,
    hold,
    start,
    stop,
    /** Resolves to the URL of a new, empty database. */
    async createDatabase() {
      const name = `test_${(databases += 1)}`;
      await run(`CREATE DATABASE ${name}`);
      return url(name);
    },
  };
}
