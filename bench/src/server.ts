import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@petstore/local-stack';
import type { Bench } from './bench.ts';
import { databaseOf, type Data } from './data.ts';
import { cpuTimeOf, memoryOf, pinned, type Place } from './machine.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const ownContract = path.join(root, 'openapi.yaml');
const petstore = path.join(root, 'apps/server/bin/petstore.js');
const START_TIMEOUT = 30_000;
const STOP_TIMEOUT = 15_000;

export const peers = ['express', 'fastify', 'hono'] as const;
export type Peer = (typeof peers)[number];

/** A server under measurement: a process of its own. */
export interface Server {
  readonly name: string;
  readonly origin: string;
  readonly pid: number;
  /** Where its data are, if it has any. */
  readonly dataDir?: string;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startTime: number;
  /** CPU time used so far, in microseconds. */
  cpuTime(): number | undefined;
  peakMemory(): number | undefined;
  memory(): number | undefined;
  stop(): Promise<void>;
}

export interface Settings {
  /** Believe X-Forwarded-For from this machine. */
  readonly trustProxy?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly name?: string;
  /** Further arguments for Node. */
  readonly node?: readonly string[];
  /** The core to run on. */
  readonly on?: Place;
  /** Another contract than ours, for a peer. */
  readonly contract?: string;
}

/** Our service as an operator runs it, with requests not logged: no peer logs them either. */
export async function startPetstore(bench: Bench, data: Data, settings: Settings = {}): Promise<Server> {
  const server = await startServer(
    bench,
    settings.name ?? 'petstore',
    [...(settings.node ?? []), petstore, 'serve'],
    (port) => ({
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      DATA_DIR: data.dataDir,
      PORT: String(port),
      ...(settings.trustProxy && { TRUST_PROXY: '127.0.0.1' }),
      ...settings.env,
    }),
    settings.on,
  );
  return { ...server, dataDir: data.dataDir };
}

export async function startPeer(
  bench: Bench,
  peer: Peer,
  data: Data,
  { trustProxy, name = peer, contract = ownContract }: Settings = {},
): Promise<Server> {
  const server = await startServer(bench, name, (port) => [
    builtFile(`peers/${peer}.js`),
    databaseOf(data),
    contract,
    String(port),
    ...(trustProxy ? ['127.0.0.1'] : []),
  ]);
  return { ...server, dataDir: data.dataDir };
}

/** What `npm run build` has made of a file in peers/ or probes/. */
export function builtFile(file: string): string {
  return path.join(root, 'apps/bench/dist', file);
}

type PerPort<Value> = Value | ((port: number) => Value);

export async function startServer(
  bench: Bench,
  name: string,
  args: PerPort<string[]>,
  env: PerPort<Record<string, string>> = {},
  on: Place = 'server',
): Promise<Server> {
  const port = await freePort();
  const [command, all] = pinned(on, process.execPath, typeof args === 'function' ? args(port) : args);
  const started = performance.now();
  const child = spawn(command, all, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { NODE_ENV: 'production', ...(typeof env === 'function' ? env(port) : env) },
  });
  const origin = `http://127.0.0.1:${port}`;
  bench.onEnd(() => stop(child));
  await answers(bench, name, child, origin);
  const startTime = performance.now() - started;
  const pid = child.pid ?? 0;
  return {
    name,
    origin,
    pid,
    startTime,
    cpuTime: () => cpuTimeOf(pid),
    peakMemory: () => memoryOf(pid, 'VmHWM'),
    memory: () => memoryOf(pid, 'VmRSS'),
    stop: () => stop(child),
  };
}

async function answers(bench: Bench, name: string, child: ChildProcess, origin: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT;
  while (!(await isAnswering(origin))) {
    bench.signal.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} ended while starting`);
    if (performance.now() > deadline) throw new Error(`${name} did not answer within ${START_TIMEOUT} ms`);
    await sleep(5);
  }
}

/** Whether the API answers, be it that there is no key. */
function isAnswering(origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    http
      .get(`${origin}/v1/store/orders`, { agent: false }, (res) => {
        res.resume();
        resolve(true);
      })
      .on('error', () => resolve(false));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
  await ended;
  clearTimeout(timer);
}
