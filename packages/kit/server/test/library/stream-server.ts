/* A service of streams in its own process. It prints its address and the keys of several callers. */
import { EventEmitter, once } from 'node:events';
import { startForCheck } from '../../src/checking.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { newFolder } from '@contract-kit/test-support/testing';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { streamingText } from './streaming-contract.ts';

const KEYS = 5;
/** How often there is an event for everybody, in milliseconds. */
const INTERVAL = 1_000;

const clock = new EventEmitter().setMaxListeners(0);
setInterval(() => clock.emit('tick'), INTERVAL).unref();

async function* ticks(signal: AbortSignal) {
  for (let n = 1; !signal.aborted; n += 1) {
    yield { id: String(n), data: { n } };
    await once(clock, 'tick', { signal });
  }
}

function* endless() {
  for (let n = 1; ; n += 1) yield { n, long: 'x'.repeat(10_000) };
}

const handlers: Readonly<Record<string, AnyHandler>> = {
  events: (_input, { signal }) => ({ status: 200, body: ticks(signal) }),
  counts: () => ({
    status: 200,
    body: { [Symbol.asyncIterator]: () => endlessly(endless()) },
  }),
};

function endlessly(items: Iterator<unknown>) {
  return { next: () => Promise.resolve(items.next()) };
}

const none: AnyHandler = () => ({ status: 200 });
const { origin, newKey } = await startForCheck(contractFrom(streamingText), {
  dataDir: newFolder(),
  handlerOf: (id) => handlers[id] ?? none,
});
const keys = await Promise.all(Array.from({ length: KEYS }, () => newKey()));
process.stdout.write(`${JSON.stringify({ origin, keys })}\n`);
