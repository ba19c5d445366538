import { once, setMaxListeners } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIST, MISSING_ID } from './data.ts';
import { exchange } from './exchange.ts';
import { resetPeakMemory } from './machine.ts';
import type { Server } from './server.ts';

/** What the stalled readers' connections take up is taken up by then, in milliseconds. */
const STALL_TIME = 500;

/** How long many readers read, and how often `/healthz` is asked meanwhile, in milliseconds. */
const CROWD_TIME = 10_000;
const HEALTH_INTERVAL = 10;

type Headers = Readonly<Record<string, string>>;

/** What reading a list did to the server. */
export interface Reading {
  /** Milliseconds from the request to the last byte. */
  readonly time: number;
  /** As they came, compressed or not. */
  readonly bytes: number;
  /** Megabytes. */
  readonly extraMemory: number;
  /** Milliseconds. */
  readonly loopDelay: number;
}

const baselines = new WeakMap<Server, number>();

/** So that what is compiled and cached once does not count as the list's: to be done before the first reading. */
export async function warmUp(server: Server, headers: Headers): Promise<void> {
  for (let count = 0; count < 500; count += 1) {
    await exchange(server.origin, { method: 'DELETE', target: `${LIST}/${MISSING_ID}`, headers });
  }
  baselines.set(server, server.memory());
}

/** Reads the list as fast as it comes, beside a reader that takes nothing for each of `stalled`. */
export async function readLongList(
  server: Server,
  headers: Headers,
  stalled: readonly Headers[] = [],
): Promise<Reading> {
  const canReset = resetPeakMemory(server.pid);
  // Looking at the metrics starts a new histogram.
  await loopDelayOf(server);
  const sockets = await Promise.all(stalled.map((each) => stall(server.origin, each)));
  if (stalled.length > 0) await sleep(STALL_TIME);
  const report = await readFast(server.origin, headers);
  const loopDelay = await loopDelayOf(server);
  const [peak, before] = [server.peakMemory(), baselines.get(server) ?? Number.NaN];
  for (const socket of sockets) socket.destroy();
  if (stalled.length > 0) await sleep(STALL_TIME);
  return { ...report, loopDelay, extraMemory: canReset ? (peak - before) / 1e6 : Number.NaN };
}

/**
 * Asks `/healthz` again and again while each of `readers`, which begin at once, reads the list as fast as it comes or
 * is told that it is one too many. Returns how long the answers took, in milliseconds.
 */
export async function healthBeside({ origin }: Server, readers: readonly Headers[]): Promise<number[]> {
  const signal = AbortSignal.timeout(CROWD_TIME);
  setMaxListeners(readers.length, signal);
  const reading = Promise.allSettled(readers.map((headers) => readFast(origin, headers, signal)));
  const times: number[] = [];
  while (!signal.aborted) {
    const started = performance.now();
    await exchange(origin, { method: 'GET', target: '/healthz' });
    times.push(performance.now() - started);
    await sleep(HEALTH_INTERVAL);
  }
  await reading;
  return times;
}

async function loopDelayOf({ origin }: Server): Promise<number> {
  const { body } = await exchange(origin, { method: 'GET', target: '/metrics' });
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(body.toString())?.[1]) * 1000;
}

/** Throws where the answer is cut short or not a 200. */
async function readFast(origin: string, headers: Headers, signal?: AbortSignal) {
  const started = performance.now();
  const req = http.get(origin + LIST, { headers, agent: false, ...(signal && { signal }) });
  const [res] = (await once(req, 'response')) as [http.IncomingMessage];
  if (res.statusCode !== 200) throw new Error(`the list was answered with ${res.statusCode}`);
  let bytes = 0;
  res.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(res, 'end');
  return { time: performance.now() - started, bytes };
}

/** Asks and then reads nothing. */
async function stall(origin: string, headers: Headers): Promise<net.Socket> {
  const { hostname, port } = new URL(origin);
  const socket = net.connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = Object.entries({ Host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write([`GET ${LIST} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  return socket;
}
