import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@petstore/local-stack';
import type { Recorded } from '../peers/raw.ts';
import type { Switch } from '../probes/switched-off.ts';
import type { Bench } from './bench.ts';
import { checkConformance, type Exchanged } from './conformance.ts';
import { copyData, databaseOf, type Data } from './data.ts';
import { cpuTimeOf, memoryOf, pinned, type Place } from './machine.ts';

export const root = path.resolve(import.meta.dirname, '../..');
const PETSTORE = 'apps/server/bin/petstore.js';
export const petstore = path.join(root, PETSTORE);
const START_TIMEOUT = 30_000;
const STOP_TIMEOUT = 15_000;

export const RAW = 'node:http';
export const OURS = 'petstore';
export const NOT_REMEMBERED = 'petstore, list not remembered';
export const UNLOGGED = 'petstore, no access log';

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
  cpuTime(): number;
  /** Bytes; NaN where /proc has none. */
  peakMemory(): number;
  memory(): number;
  stop(): Promise<void>;
}

export interface Settings {
  /** Believe X-Forwarded-For from this machine. */
  readonly trustProxy?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly name?: string;
  /** Lets its time be looked into: see profile.ts. */
  readonly canProfile?: boolean;
  /** The core to run on. */
  readonly on?: Place;
  /** A copy of this workspace to take the service from, and the contract. */
  readonly workspace?: string;
  /** Logs each request, to a file. */
  readonly accessLog?: boolean;
  /** A mechanism to do without. */
  readonly without?: Switch;
}

/** Our service as an operator runs it; requests are not logged unless that is asked for. */
export async function startPetstore(bench: Bench, data: Data, settings: Settings = {}): Promise<Server> {
  const {
    name = OURS,
    canProfile,
    trustProxy,
    env,
    on,
    workspace = root,
    accessLog = false,
    without,
  } = settings;
  const probes = [...(without ? ['switched-off'] : []), ...(canProfile ? ['profiled'] : [])];
  const node = probes.flatMap((probe) => ['--import', builtFile(`probes/${probe}.js`)]);
  const server = await startServer(bench, name, (port) => ({
    args: [...node, path.join(workspace, PETSTORE), 'serve'],
    isLogged: accessLog,
    env: {
      LOG_LEVEL: accessLog ? 'info' : 'warn',
      ...(without && { SWITCHED_OFF: without }),
      ...(canProfile && { PROFILE: profileFileOf(bench, `http://127.0.0.1:${port}`) }),
      DATA_DIR: data.dataDir,
      PORT: String(port),
      ...(trustProxy && { TRUST_PROXY: '127.0.0.1' }),
      ...env,
    },
    on,
  }));
  return { ...server, dataDir: data.dataDir };
}

export async function startPeer(
  bench: Bench,
  peer: Peer,
  data: Data,
  { trustProxy, env, name = peer, workspace = root, accessLog = false }: Settings = {},
): Promise<Server> {
  const database = env?.['DATABASE_URL'] ?? databaseOf(data);
  const program = [builtFile(`peers/${peer}.js`), database, path.join(workspace, 'openapi.yaml')];
  const server = await startServer(bench, name, (port) => ({
    args: [...program, String(port), ...(trustProxy ? ['127.0.0.1'] : [])],
    isLogged: accessLog,
    env: { LOG_LEVEL: accessLog ? 'info' : 'warn', ...env },
  }));
  return { ...server, dataDir: data.dataDir };
}

const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/** `node:http` alone, sending the bytes that our service sent in `exchanged`. */
export function startRaw(
  bench: Bench,
  exchanged: readonly Exchanged[],
  name = RAW,
  on?: Place,
): Promise<Server> {
  const recording = path.join(bench.folder, `${name.replace(/\W+/g, '-')}.json`);
  writeFileSync(recording, JSON.stringify(exchanged.map(recorded)));
  return startServer(bench, name, (port) => ({
    args: [builtFile('peers/raw.js'), recording, String(port)],
    on,
  }));
}

function recorded({ asked, answered: { status, rawHeaders, body } }: Exchanged): Recorded {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!OWN_HEADERS.has(name.toLowerCase())) headers[name] = rawHeaders[index + 1] ?? '';
  }
  if (status !== 204) headers['Content-Length'] = String(body.length);
  const { method, target } = asked;
  const authorization = asked.headers?.['Authorization'] ?? '';
  return { method, target, authorization, status, headers, body: body.toString('base64') };
}

export interface Contestants extends Settings {
  /** Also our service with the remembered list switched off, and where requests are logged without that. */
  readonly variants?: boolean;
  /** Whether the list is looked at before the timing: not where it is long and not asked for. */
  readonly checkList?: boolean;
}

/** The limit, ours and the peers, each on its own copy of `data`, each checked before it is timed. */
export async function startContestants(
  bench: Bench,
  data: Data,
  { variants = false, checkList = true, ...settings }: Contestants = {},
): Promise<Server[]> {
  bench.step(`starting the servers on ${data.count} orders`);
  const ours = await startPetstore(bench, copyData(data, OURS), { ...settings, canProfile: true });
  const servers = [await startRaw(bench, await checkConformance(OURS, ours.origin, data, checkList)), ours];
  const start = async (name: string, variant: Settings) => {
    servers.push(await startPetstore(bench, copyData(data, name), { ...settings, ...variant, name }));
  };
  if (variants) await start(NOT_REMEMBERED, { without: 'remembered list' });
  if (variants && settings.accessLog) await start(UNLOGGED, { accessLog: false });
  for (const peer of peers) servers.push(await startPeer(bench, peer, copyData(data, peer), settings));
  for (const server of servers) {
    if (server !== ours) await checkConformance(server.name, server.origin, data, checkList);
  }
  return servers;
}

/** Where the profile is written of a server that can be profiled. */
export function profileFileOf({ folder }: Bench, origin: string): string {
  return path.join(folder, `${new URL(origin).port}.cpuprofile`);
}

/** What `npm run build` has made of a file in peers/ or probes/. */
export function builtFile(file: string): string {
  return path.join(root, 'bench/dist', file);
}

interface Command {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly on?: Place | undefined;
  readonly isLogged?: boolean;
}

async function startServer(
  bench: Bench,
  name: string,
  commandAt: (port: number) => Command,
): Promise<Server> {
  const port = await freePort();
  const { args, env, on = 'server', isLogged } = commandAt(port);
  const output = isLogged ? openSync(path.join(bench.folder, `${port}.log`), 'w') : 'ignore';
  const [command, all] = pinned(on, process.execPath, args);
  const started = performance.now();
  const child = spawn(command, all, {
    stdio: ['ignore', output, 'inherit'],
    env: { NODE_ENV: 'production', ...env },
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
