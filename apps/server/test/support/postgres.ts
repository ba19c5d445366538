import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { until } from './until.ts';
import {
  findProgram,
  freePort,
  postgresFolders,
  startProgram,
  unprivileged,
  type Program,
} from './process.ts';

const initdb = findProgram('initdb', ...postgresFolders());
const postgres = findProgram('postgres', ...postgresFolders());

export const hasPostgres = initdb !== undefined && postgres !== undefined;

export interface TestPostgres {
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Runs a statement as the superuser, in the database that every server has. */
  run(sql: string): Promise<unknown[]>;
  /** Stops the server as an operator does for a restart, cutting its connections. */
  stop(): Promise<void>;
  start(): Promise<void>;
  readonly pid: number;
  /** Stops it for good and removes its files. */
  remove(): Promise<void>;
}

/** A PostgreSQL server of this test's own, on a free loopback port, in a temporary folder. */
export async function startPostgres(): Promise<TestPostgres> {
  if (!initdb || !postgres) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-postgres-'));
  const data = path.join(folder, 'data');
  const user = unprivileged(folder);
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...user,
    stdio: 'ignore',
    cwd: folder,
  });
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
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      'max_connections=100',
    ];
    const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    server = startProgram(postgres as string, args, { ...user, cwd: folder });
    await until(async () => (await run('SELECT 1').catch(() => [])).length === 1, { within: 30_000 });
  }

  await start();
  return {
    run,
    start,
    // SIGINT is PostgreSQL's fast shutdown.
    stop: async () => server?.end('SIGINT'),
    async createDatabase() {
      databases += 1;
      await run(`CREATE DATABASE petstore_${databases}`);
      return url(`petstore_${databases}`);
    },
    get pid() {
      return server?.child.pid ?? 0;
    },
    async remove() {
      await server?.end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
