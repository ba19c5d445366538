// `npm run cluster`: several instances of the service, with the PostgreSQL, Redis and nginx of this machine.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { basePath } from '@petstore/contract';
import { CommandError, runCommand, UsageError } from '@petstore/contract-tools/command';
import {
  lastWords,
  logsIn,
  notInstalled,
  startCluster,
  stopCluster,
  type Cluster,
  type Part,
} from '@petstore/local-stack';

const USAGE = `Usage: npm run cluster -- [options]

Starts several instances of the service behind nginx, on one PostgreSQL and one Redis or Valkey, all on loopback
ports of this machine, and stops them with Ctrl-C.

  --instances NUMBER   how many instances, from 2 to 16 (default: 2)
  --port NUMBER        port of the entry (default: a free one)
  --data FOLDER        keep everything there for the next time (default: a temporary folder)
  --help               show this

Settings of the service such as BAN_SECONDS are taken from the environment.
Exit codes: 0 stopped, 1 something failed, 2 called wrongly.`;

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}`);
  return value;
}

interface ClusterArguments {
  readonly instances: number;
  readonly port: number;
  readonly data: string | undefined;
}

async function run({ instances, port, data }: ClusterArguments): Promise<number> {
  const isThrownAway = data === undefined;
  const folder = isThrownAway ? mkdtempSync(path.join(tmpdir(), 'petstore-cluster-')) : path.resolve(data);
  if (!isThrownAway) mkdirSync(folder, { recursive: true });
  const parts: Part[] = [];
  /** Aborted with the first signal, or with what went wrong. */
  const over = new AbortController();
  const fail = (what: string) => over.abort(new Error(what));
  // A terminal that is gone must not end this with an error before the parts are stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('exit', () => {
    if (isThrownAway) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  onSignalToStop(() => over.abort());

  console.log(`cluster: starting PostgreSQL, Redis, ${instances} instances and nginx …`);
  try {
    const cluster = await startCluster({
      petstore: path.resolve(import.meta.dirname, '../apps/server/bin/petstore.js'),
      folder,
      isThrownAway,
      instances,
      port,
      onPart: (part) => {
        parts.push(part);
        part.program.child.once('exit', (code, signal) => {
          const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
          fail(`${part.name} ${how}${lastWords(folder, part.name)}`);
        });
      },
      signal: over.signal,
    });
    greet({ ...cluster, parts, folder, isThrownAway });
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

interface Greeting extends Cluster {
  readonly parts: readonly Part[];
  readonly folder: string;
  readonly isThrownAway: boolean;
}

function greet({ entry, key, databaseUrl, parts, folder, isThrownAway }: Greeting): void {
  const topology = [...parts]
    .reverse()
    .map(({ name, url, program }) => `  ${name.padEnd(12)} ${url} (pid ${program.child.pid})`);
  console.log(`
The cluster is running. It is for trying things on this machine: nothing in it asks for a password.

${topology.join('\n')}
  logs         ${logsIn(folder)}
  data         ${folder}${isThrownAway ? ' (removed at the end; --data FOLDER keeps it)' : ''}

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

const text = { type: 'string' } as const;
const options = { instances: { ...text, default: '2' }, port: { ...text, default: '0' }, data: text };
process.exitCode = await runCommand(USAGE, options, async ({ instances, port, data }) => {
  const called = {
    instances: wholeNumber('--instances', instances, 2, 16),
    port: wholeNumber('--port', port, 0, 65_535),
    data,
  };
  const missing = notInstalled('PostgreSQL', 'Redis', 'nginx');
  if (missing !== undefined) throw new CommandError(`cluster: ${missing}`);
  return run(called);
});
