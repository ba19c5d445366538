import { setTimeout as sleep } from 'node:timers/promises';
import { MISSING_ID } from './data.ts';
import { exchange } from './exchange.ts';
import { resetPeakMemory } from './machine.ts';
import { readFast, stall, type ReadReport } from './readers.ts';
import type { Server } from './server.ts';

const LIST = '/v1/store/orders';
/** What the stalled readers' connections take up is taken up by then, in milliseconds. */
const STALL_TIME = 500;

/** What reading a list did to the server. Memory in bytes, times in milliseconds. */
export interface Reading extends ReadReport {
  readonly extraMemory: number | undefined;
  readonly loopDelay: number | undefined;
}

const baselines = new WeakMap<Server, number | undefined>();

/** So that what is compiled and cached once does not count as the list's: to be done before the first reading. */
export async function warmUp(server: Server, headers: Record<string, string>): Promise<void> {
  for (let count = 0; count < 500; count += 1) {
    await exchange(server.origin, { method: 'DELETE', target: `${LIST}/${MISSING_ID}`, headers });
  }
  baselines.set(server, server.memory());
}

/** Reads the list as fast as it comes, beside as many readers as `stalled` says that take nothing. */
export async function readLongList(
  server: Server,
  headers: Record<string, string>,
  stalled = 0,
): Promise<Reading> {
  const canReset = resetPeakMemory(server.pid);
  // Looking at the metrics starts a new histogram.
  await loopDelayOf(server);
  const hangUps = await Promise.all(
    Array.from({ length: stalled }, () => stall(server.origin, LIST, headers)),
  );
  if (stalled > 0) await sleep(STALL_TIME);
  const report = await readFast(server.origin, LIST, headers);
  const loopDelay = await loopDelayOf(server);
  const [peak, before] = [server.peakMemory(), baselines.get(server)];
  for (const hangUp of hangUps) hangUp();
  if (stalled > 0) await sleep(STALL_TIME);
  const isKnown = canReset && peak !== undefined && before !== undefined;
  return { ...report, loopDelay, extraMemory: isKnown ? peak - before : undefined };
}

async function loopDelayOf({ origin }: Server): Promise<number | undefined> {
  const { body } = await exchange(origin, { method: 'GET', target: '/metrics' });
  const [, seconds] = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(body.toString()) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
