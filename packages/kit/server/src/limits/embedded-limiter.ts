import {
  consume,
  isSpent,
  newCounters,
  peek,
  voidImpossibleBan,
  type Account,
  type BanPolicy,
  type Counters,
  type Decision,
  type RateLimitState,
} from '@contract-kit/core/limits';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { isKeyAccount } from './account.ts';
import type { CountersFile } from './counters-file.ts';
import type { Limiter } from './limiter.ts';

/** The most recent addresses, which bounds the memory. */
const MAX_ADDRESSES = 10_000;
/** How often counters are written, in milliseconds. */
const FLUSH_INTERVAL = 1_000;
/** Rows written between two turns of the event loop. */
const FLUSH_SLICE = 500;
/** How often spent counters are removed, in milliseconds. */
const SWEEP_INTERVAL = 60_000;

export interface EmbeddedLimiterOptions {
  readonly file: CountersFile;
  readonly policy: BanPolicy;
  readonly now: () => number;
  /** Called when counters can no longer be stored. Each second they are retried silently. */
  readonly onError: (error: unknown) => void;
}

/** Counts in memory, and writes once a second and at the end. Writes a ban at once. */
export function createEmbeddedLimiter({ file, policy, now, onError }: EmbeddedLimiterOptions): Limiter {
  const keys = new Map<string, Counters>();
  /** Counters for the next flush; undefined removes them. */
  const unsaved = new Map<string, Counters | undefined>();
  const addresses = new LRUCache<string, Counters>({
    max: MAX_ADDRESSES,
    dispose: (_counters, id) => unsaved.set(id, undefined),
  });

  for (const [id, counters] of file.load()) {
    if (canDrop(counters)) unsaved.set(id, undefined);
    else mapOf(id).set(id, counters);
  }

  function canDrop(counters: Counters): boolean {
    voidImpossibleBan(counters, policy, now());
    return isSpent(counters, now());
  }

  function mapOf(id: string) {
    return isKeyAccount(id) ? keys : addresses;
  }

  function countersOf({ id }: Account): Counters | undefined {
    return mapOf(id).get(id);
  }

  let isFailing = false;
  function save(entries: readonly (readonly [id: string, Counters | undefined])[]): void {
    try {
      file.save(entries);
      isFailing = false;
    } catch (error) {
      for (const [id] of entries) unsaved.set(id, mapOf(id).get(id));
      if (!isFailing) onError(error);
      isFailing = true;
    }
  }

  let flushing: Promise<void> | undefined;
  function flush(): Promise<void> {
    flushing ??= flushAll().finally(() => (flushing = undefined));
    return flushing;
  }

  async function flushAll(): Promise<void> {
    dropSpent();
    const entries = [...unsaved];
    unsaved.clear();
    for (let start = 0; start < entries.length; start += FLUSH_SLICE) {
      save(entries.slice(start, start + FLUSH_SLICE));
      await nextTurn();
    }
  }

  let nextSweep = now() + SWEEP_INTERVAL;
  function dropSpent(): void {
    if (now() < nextSweep) return;
    nextSweep = now() + SWEEP_INTERVAL;
    for (const [id, counters] of [...keys, ...addresses]) {
      if (!canDrop(counters)) continue;
      mapOf(id).delete(id);
      unsaved.set(id, undefined);
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_INTERVAL);
  timer.unref();

  return {
    consume(account: Account): Decision {
      let counters = countersOf(account);
      if (!counters) {
        counters = newCounters();
        mapOf(account.id).set(account.id, counters);
      }
      const bannedUntil = counters.banUntil;
      const decision = consume(counters, account, policy, now());
      if (counters.banUntil > bannedUntil) save([[account.id, counters]]);
      else unsaved.set(account.id, counters);
      return decision;
    },
    peek(account: Account): RateLimitState {
      return peek(countersOf(account) ?? newCounters(), account, policy, now());
    },
    async close() {
      clearInterval(timer);
      await flushing;
      await flush();
      file.close();
    },
  };
}
