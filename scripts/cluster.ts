// `npm run cluster`: several instances of the service, with the PostgreSQL, Redis and nginx of this machine.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { basePath } from '@petstore/contract';
import { CommandError, runCommand, UsageError } from '@kit/tools/command';
import {
  lastWords,
  logsIn,
  notInstalled,
  startCluster,
  stopCluster,
  type Cluster,
  type Part,
  type RunCommand,
} from '@kit/local-stack';

const USAGE = `Usage: npm run cluster -- [options]

Starts several instances of the service behind nginx, on one PostgreSQL and one Redis or Valkey, all on free loopback
ports of this machine and in a temporary folder, and stops them with Ctrl-C.

  --instances NUMBER   how many instances, from 2 to 16 (default: 2)
  --help               show this

Settings of the service such as BAN_SECONDS are taken from the environment.
Exit codes: 0 stopped, 1 something failed, 2 called wrongly.`;

async function run(instances: number): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-cluster-'));
  const parts: Part[] = [];
  /** Aborted with the first signal, or with what went wrong. */
  const over = new AbortController();
  const fail = (what: string) => over.abort(new Error(what));
  // A terminal that is gone must not end this with an error before the parts are stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  onSignalToStop(() => over.abort());

  console.log(`cluster: starting PostgreSQL, Redis, ${instances} instances and nginx …`);
  try {
    const cluster = await startCluster({
      command: path.resolve(import.meta.dirname, '../apps/server/bin/petstore.js'),
      fill,
      folder,
      instances,
      onPart: (part) => {
        parts.push(part);
        part.program.child.once('exit', (code, signal) => {
          const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
          fail(`${part.name} ${how}${lastWords(folder, part.name)}`);
        });
      },
      signal: over.signal,
    });
    greet(cluster, parts, folder);
    if (!over.signal.aborted) await once(over.signal, 'abort');
  } catch (error) {
    fail((error as Error).message);
  }

  // The first reason counts: what ends after it ends because of it.
  const { name, message } = over.signal.reason as Error;
  const isStopped = name === 'AbortError';
  if (!isStopped) console.error(`cluster: ${message}`);
  console.log('cluster: stopping; a second signal ends at once');
  await stopCluster(parts);
  console.log('cluster: stopped');
  return isStopped ? 0 : 1;
}

/** Adds orders to try things on, and creates a key of the Free plan. */
function fill(run: RunCommand): string {
  const orders = [
    { id: 1, petId: 1, quantity: 1, complete: false },
    { id: 2, petId: 2, quantity: 3, complete: true, status: 'shipped' },
  ];
  run(['orders', 'import', '-'], JSON.stringify(orders));
  const created = run(['keys', 'create', '--plan', 'free', '--name', 'cluster']);
  return (JSON.parse(created) as { key: string }).key;
}

function greet({ entry, key, databaseUrl }: Cluster, parts: readonly Part[], folder: string): void {
  const topology = [...parts]
    .reverse()
    .map(({ name, url, program }) => `  ${name.padEnd(12)} ${url} (pid ${program.child.pid})`);
  console.log(`
The cluster is running. It is for trying things on this machine: nothing in it asks for a password.

${topology.join('\n')}
  logs         ${logsIn(folder)}
  data         ${folder} (removed at the end)

  List the orders:   curl -H 'Authorization: Bearer ${key}' ${entry}${basePath}/store/orders
  Read the docs:     ${entry}/docs
  Create a key:      DATABASE_URL=${databaseUrl} npx petstore keys create --plan pro --name mine

Ctrl-C stops it.`);
}

/** Calls `stop` with the first signal; a second one ends the process at once. */
function onSignalToStop(stop: () => void): void {
  let first: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // One Ctrl-C comes twice, from the terminal and from npm, which passes it on.
      if (first !== undefined && performance.now() > first + 1_000) process.exit(1);
      first ??= performance.now();
      stop();
    });
  }
}

const options = { instances: { type: 'string', default: '2' } } as const;
process.exitCode = await runCommand(USAGE, options, async ({ instances }) => {
  const count = /^\d+$/.test(instances) ? Number(instances) : Number.NaN;
  if (!(count >= 2 && count <= 16)) throw new UsageError('--instances must be a whole number from 2 to 16');
  const missing = notInstalled('PostgreSQL', 'Redis', 'nginx');
  if (missing !== undefined) throw new CommandError(`cluster: ${missing}`);
  return run(count);
});
