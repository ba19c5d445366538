import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startProgram } from '@contract-kit/test-support';
import { databaseOf, environment, LIST, petstoreIn, root, type Data } from './data.ts';
import { exchange, type Response } from './exchange.ts';
import { cpuTimeOf, memoryOf, pinned, type Place } from './machine.ts';
import type { Run } from './run.ts';

export const peers = ['express', 'fastify', 'hono'] as const;
export type Peer = (typeof peers)[number];

/** A server under measurement, in a separate process. */
export interface Server {
  readonly name: string;
  readonly origin: string;
  /** Milliseconds from the start of the process to its first response. */
  readonly startTime: number;
  /** CPU time used so far, in microseconds. */
  cpuTime(): number;
  /** Memory in MB: now, and the most it ever had. */
  memory(): number;
  peakMemory(): number;
  stop(): Promise<void>;
}

export type Environment = Readonly<Record<string, string>>;

/** The service of a checkout as it ships, with its access log in a file. */
export function startPetstore(
  run: Run,
  data: Data,
  env: Environment = {},
  checkout = root,
  name = 'petstore',
): Promise<Server> {
  return startServer(run, name, [petstoreIn(checkout), 'serve'], { ...data.place, ...env });
}

export function startPeer(run: Run, peer: Peer, data: Data, env: Environment = {}): Promise<Server> {
  const { REDIS_URL } = data.place;
  return startServer(run, peer, [programOf(peer)], {
    DATABASE: databaseOf(data),
    CONTRACT: path.join(root, 'openapi.yaml'),
    ...(REDIS_URL !== undefined && { REDIS_URL }),
    ...env,
  });
}

/** That `node:http` sets. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/** `node:http` alone, which sends `response` to every request. */
export function startRaw(run: Run, { headers, body }: Response, place?: Place): Promise<Server> {
  const sent = Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.includes(name)));
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const file = path.join(run.folder, 'response.json');
  writeFileSync(file, JSON.stringify({ headers: { ...sent, ...length }, body }));
  return startServer(run, 'node:http', [programOf('raw')], { RESPONSE: file }, place);
}

export function programOf(name: string): string {
  return path.join(root, 'bench/peers', `${name}.mjs`);
}

const START_TIMEOUT = 60_000;

/** Starts a program that listens on PORT, and waits for its first response. */
export async function startServer(
  { folder }: Run,
  name: string,
  args: readonly string[],
  settings: object,
  place: Place = 'server',
): Promise<Server> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const log = path.join(folder, `${port}.log`);
  const [file, all] = pinned(place, process.execPath, args);
  const started = performance.now();
  const program = startProgram(file, all, { env: environment({ ...settings, PORT: String(port) }), log });
  while (!(await responds(origin))) {
    const isLate = performance.now() - started > START_TIMEOUT;
    if (program.isRunning && !isLate) {
      await sleep(5);
      continue;
    }
    await program.end('SIGKILL');
    throw new Error(`${name} did not start: ${readFileSync(log, 'utf8').slice(-1_000)}`);
  }
  const startTime = performance.now() - started;
  const pid = program.child.pid ?? 0;
  return {
    name,
    origin,
    startTime,
    cpuTime: () => cpuTimeOf(pid),
    memory: () => memoryOf(pid, 'VmRSS'),
    peakMemory: () => memoryOf(pid, 'VmHWM'),
    stop: () => program.end(),
  };
}

/** Whether the API responds, whatever the status. */
function responds(origin: string): Promise<boolean> {
  return exchange(origin, { method: 'GET', target: LIST, headers: {} }).then(
    () => true,
    () => false,
  );
}
