import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { CursorExpired, cursorOf } from './cursor.ts';
import type { FeedTable, PlacedEntry, TopicState } from './feed-table.ts';

/** How often a topic with readers is looked at if nothing wakes it, in milliseconds. */
const INTERVAL = 1_000;
/** How long it rests after it found something, in milliseconds: what comes meanwhile is read at once. */
const REST = 10;
/** The most entries that are kept in memory, for all readers together. */
const MOST_KEPT = 10_000;

export interface FeedEntry<Payload> {
  /** Where it is: pass it to `after` to go on behind it. It has letters, digits, `-`, `_` and `.`. */
  readonly cursor: string;
  readonly payload: Payload;
}

/** The end of a topic, which is read once for all who wait for more. */
export interface Tail {
  /** Whether nobody reads it any more, or nobody may. */
  readonly isOver: () => boolean;
  /** Entries behind `position` as they come. Throws a CursorExpired if some were deleted before they were read. */
  read(position: number, signal?: AbortSignal): AsyncGenerator<FeedEntry<unknown>, void>;
  wake(): void;
}

interface Known {
  readonly position: number;
  readonly payload: unknown;
}

interface TailOptions {
  readonly topic: string;
  readonly table: FeedTable;
  readonly start: TopicState;
  readonly log: Pick<Logger, 'error'>;
  /** Ends all readers. */
  readonly closing: AbortSignal;
}

/** The tail of `topic` behind `start`. It ends when its last reader does. */
export function createTail({ topic, table, start, log, closing }: TailOptions): Tail {
  let readers = 0;
  let hasBegun = false;
  /** Whether the database is a copy now, or lacks entries that were read. */
  let isLost = false;
  let isWoken = false;
  let swept = start.swept;
  /** The last entries, those behind `from`. */
  let entries: Known[] = [];
  let from = start.last;
  const waiting = new Set<() => void>();
  let endWait = () => {};

  const last = () => entries.at(-1)?.position ?? from;

  /** Resolves to whether there was something. */
  async function look(): Promise<boolean> {
    const state = await table.stateOf(topic);
    swept = state.swept;
    isLost = state.life !== start.life || state.last < last();
    if (isLost) return true;
    if (state.isBehind) await table.number(topic);
    const found = await table.read(topic, last());
    const all = [...entries, ...found.map(parsed)];
    from = all.at(-MOST_KEPT - 1)?.position ?? from;
    entries = all.slice(-MOST_KEPT);
    return found.length > 0;
  }

  async function run(): Promise<void> {
    while (readers > 0 && !isLost && !closing.aborted) {
      isWoken = false;
      const hasFound = await look().catch((err: unknown) => {
        // The log has it already.
        if (!(err instanceof StoreUnavailable)) log.error({ err, topic }, 'a feed could not be read');
        return false;
      });
      if (hasFound) {
        for (const go of waiting) go();
        waiting.clear();
        await sleep(REST);
      } else if (!isWoken) await wait();
    }
  }

  function wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, INTERVAL);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const wake = () => {
    isWoken = true;
    endWait();
  };

  /** Resolves when there is more. Rejects when `signal` aborts. */
  function more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        waiting.delete(go);
        reject(signal.reason as Error);
      };
      const go = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      waiting.add(go);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** The entries behind `position`, of which the oldest ones are not in memory. */
  async function older(position: number, signal: AbortSignal): Promise<Known[]> {
    for (;;) {
      try {
        const found = await table.read(topic, position);
        if (found.length === 0) throw new CursorExpired(topic);
        return found.map(parsed);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await sleep(INTERVAL, undefined, { signal });
      }
    }
  }

  return {
    isOver: () => isLost || (hasBegun && readers === 0),
    wake,
    async *read(position, given) {
      const signal = given ? AbortSignal.any([given, closing]) : closing;
      readers += 1;
      if (!hasBegun) void run();
      hasBegun = true;
      try {
        for (let at = position; ;) {
          signal.throwIfAborted();
          if (isLost || at < swept) throw new CursorExpired(topic);
          // Without a pause between looking and waiting, in which more could come.
          const next = at < from ? await older(at, signal) : behind(entries, at);
          for (const entry of next) {
            at = entry.position;
            yield { cursor: cursorOf(start.life, at), payload: entry.payload };
          }
          if (at >= last() && !isLost) await more(signal);
        }
      } finally {
        readers -= 1;
        if (readers === 0) wake();
      }
    },
  };
}

function behind(entries: readonly Known[], position: number): readonly Known[] {
  return entries.slice(entries.findLastIndex((entry) => entry.position <= position) + 1);
}

function parsed({ position, payload }: PlacedEntry): Known {
  return { position, payload: JSON.parse(payload) as unknown };
}
