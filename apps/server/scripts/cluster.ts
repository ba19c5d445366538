// `npm run cluster`: several instances of the service, with the PostgreSQL, Redis and nginx of this machine.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { basePath } from '@petstore/contract';
import {
  freePorts,
  notInstalled,
  startNginx,
  startPostgresServer,
  startProgram,
  startRedisServer,
  untilReady,
  type Program,
  type ServerOptions,
} from '@contract-kit/test-support';

const USAGE = `Usage: npm run cluster -- [options]

Starts several instances of the service behind nginx, on one PostgreSQL and one Redis or Valkey, all on free loopback
ports of this machine and in a temporary folder, and stops them with Ctrl-C.

  --instances NUMBER   how many instances, from 2 to 16 (default: 2)
  --help               show this

Settings of the service such as BAN_SECONDS are taken from the environment.
Exit codes: 0 stopped, 1 something failed, 2 called wrongly.`;

const command = path.resolve(import.meta.dirname, '../bin/service.js');

const ORDERS = [
  { id: 1, petId: 1, quantity: 1, complete: false },
  { id: 2, petId: 2, quantity: 3, complete: true, status: 'shipped' },
];

interface Part {
  readonly name: string;
  readonly url: string;
  readonly program: Program;
}

async function run(instances: number): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-cluster-'));
  // PostgreSQL and the workers of nginx are other users if this user is root, and have separate folders below.
  chmodSync(folder, 0o711);
  mkdirSync(path.join(folder, 'logs'), { mode: 0o700 });
  const parts: Part[] = [];
  /** Aborted by the first signal, or by an error. */
  const over = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => over.abort());
  // A closed terminal must not end this before the parts are stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

  /** Starts a part, unless the cluster is stopping. If the part ends, all others stop. */
  async function start(name: string, url: string, startAt: (server: ServerOptions) => Promise<Program>) {
    over.signal.throwIfAborted();
    const log = path.join(folder, 'logs', `${name.replace(' ', '-')}.log`);
    const port = Number(new URL(url).port);
    try {
      const program = await startAt({ folder: path.join(folder, name), port, log, detached: true });
      parts.push({ name, url, program });
      program.child.once('exit', (code, signal) => {
        over.abort(new Error(`${name} ended with ${signal ?? `code ${code}`}: see ${log}`));
      });
      return url;
    } catch (cause) {
      throw new Error(`${name} could not be started: ${(cause as Error).message}: see ${log}`, { cause });
    }
  }

  console.log(`cluster: starting PostgreSQL, Redis, ${instances} instances and nginx …`);
  try {
    const [postgres, redis, entry, ...ports] = await freePorts(3 + instances);
    // Each instance takes up to ten connections; the rest is for commands and the operator.
    const capacity = { maxConnections: 20 + 10 * instances, isThrownAway: true };
    const startPostgres = (server: ServerOptions) => startPostgresServer({ ...server, ...capacity });
    // Counters and bans are never evicted: if memory is full, instances limit alone.
    const settings = ['--maxmemory-policy', 'noeviction'];
    const startRedis = (server: ServerOptions) => startRedisServer({ ...server, settings });
    const env = {
      ...process.env,
      DATABASE_URL: await start(
        'PostgreSQL',
        `postgresql://postgres@127.0.0.1:${postgres}/postgres`,
        startPostgres,
      ),
      REDIS_URL: await start('Redis', `redis://127.0.0.1:${redis}`, startRedis),
      INSTANCES: String(instances),
      TRUST_PROXY: '127.0.0.1',
      PUBLIC_URL: `http://127.0.0.1:${entry}`,
    };
    const petstore = (args: string[], input = '') =>
      execFileSync(process.execPath, [command, ...args], { env, input, encoding: 'utf8', stdio: 'pipe' });
    petstore(['orders', 'import', '-'], JSON.stringify(ORDERS));
    const key = petstore(['keys', 'create', '--plan', 'free', '--name', 'cluster', '--quiet']).trim();
    const startInstance = async ({ port, log, detached }: ServerOptions) => {
      const args = [command, 'serve', '--host', '127.0.0.1', '--port', String(port)];
      const program = startProgram(process.execPath, args, { env, log, detached });
      const isReady = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok);
      await untilReady(program, () => isReady().catch(() => false));
      return program;
    };
    const starting = ports.map((port, index) =>
      start(`instance ${index + 1}`, `http://127.0.0.1:${port}`, startInstance),
    );
    // Waits for all, so that none is starting while the others stop.
    await Promise.allSettled(starting);
    await Promise.all(starting);
    await start('nginx', env.PUBLIC_URL, (server) => startNginx({ ...server, instances: ports }));
    const topology = parts.map(
      ({ name, url, program }) => `  ${name.padEnd(12)} ${url} (pid ${program.child.pid})`,
    );
    console.log(`
The cluster is running. It is for trying things on this machine: nothing in it asks for a password.

${topology.reverse().join('\n')}
  data         ${folder} (removed at the end), with logs

  List the orders:   curl -H 'Authorization: Bearer ${key}' ${env.PUBLIC_URL}${basePath}/store/orders
  Read the docs:     ${env.PUBLIC_URL}/docs
  Create a key:      DATABASE_URL=${env.DATABASE_URL} npx --no-install petstore keys create --plan pro --name mine

Ctrl-C stops it.`);
    if (!over.signal.aborted) await once(over.signal, 'abort');
  } catch (error) {
    over.abort(error);
  }

  // The first reason counts: later ends follow from it.
  const { name, message } = over.signal.reason as Error;
  const isStopped = name === 'AbortError';
  console.log('cluster: stopping …');
  const end = (some: readonly Part[]) => Promise.all(some.map(({ program }) => program.end()));
  // The stores last: the instances need them to stop.
  await end(parts.slice(2));
  await end(parts);
  if (isStopped) rmSync(folder, { recursive: true, maxRetries: 5 });
  else console.error(`cluster: ${message}`);
  return isStopped ? 0 : 1;
}

/** Exits with 2 if the arguments are wrong. */
function instancesOf(args: string[]): number {
  try {
    const options = { instances: { type: 'string', default: '2' }, help: { type: 'boolean' } } as const;
    const { instances, help } = parseArgs({ args, options }).values;
    if (help) {
      console.log(USAGE);
      process.exit(0);
    }
    const count = /^\d+$/.test(instances) ? Number(instances) : Number.NaN;
    if (!(count >= 2 && count <= 16)) throw new Error('--instances must be a whole number from 2 to 16');
    return count;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

const instances = instancesOf(process.argv.slice(2));
const missing = notInstalled('PostgreSQL', 'Redis', 'nginx');
if (missing === undefined) process.exitCode = await run(instances);
else {
  console.error(`cluster: ${missing}`);
  process.exitCode = 1;
}
