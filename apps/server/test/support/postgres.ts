import pg from 'pg';
import { type Program, freePort, startPostgresServer } from '@petstore/local-stack';
import { stopAtEnd } from './at-end.ts';
import { newFolder } from './folder.ts';

export interface TestPostgres {
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Runs a statement as the superuser, in the database that every server has. */
  run(sql: string): Promise<unknown[]>;
  /** Stops the server as an operator does for a restart, cutting its connections. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A PostgreSQL server of this test's own, on a free loopback port, in a temporary folder. It ends with the suite. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = newFolder();
  const port = await freePort();
  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  let server: Program | undefined;
  let databases = 0;

  async function run(sql: string): Promise<unknown[]> {
    const client = new pg.Client(url('postgres'));
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(sql)).rows as unknown[];
    } finally {
      await client.end();
    }
  }

  async function start(): Promise<void> {
    server = await startPostgresServer({ folder, port, maxConnections: 100, isThrownAway: true });
  }

  // SIGINT is PostgreSQL's fast shutdown.
  const stop = async () => server?.end('SIGINT');
  stopAtEnd('database', stop);
  await start();
  return {
    run,
    start,
    stop,
    async createDatabase() {
      databases += 1;
      await run(`CREATE DATABASE petstore_${databases}`);
      return url(`petstore_${databases}`);
    },
  };
}
