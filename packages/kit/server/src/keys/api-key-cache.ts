import { LRUCache } from 'lru-cache';
import { DEMO_KEY, digestOf, type ApiKeyFormat } from './api-key.ts';
import { MARK_INTERVAL, type ActiveKey, type KeyStore } from './key-store.ts';

/**
 * How long a key lookup is cached, in milliseconds. Less than five seconds, which it may take to find a response that lasts
 * and to look up its key again.
 */
const TTL = 4_400;
/** The oldest lookup that counts for a response that lasts, in milliseconds. */
const TTL_AGAIN = 2_000;
const MAX_KEYS = 20_000;
/** Bounds the memory: see test/long/memory.test.ts. */
const MAX_UNKNOWN = 10_000;

export interface ApiKeyCache {
  /** The key of `token`, or undefined; at once if it is cached. Rejects with StoreUnavailable. */
  find(token: string): ActiveKey | undefined | Promise<ActiveKey | undefined>;
  /** As `find`, by a lookup of the last two seconds. */
  findAgain(token: string): ActiveKey | undefined | Promise<ActiveKey | undefined>;
  /** Marks the last uses, and stops. */
  close(): Promise<void>;
}

export interface ApiKeyCacheOptions {
  readonly format: ApiKeyFormat;
  readonly keys: KeyStore;
  /** Whether demonstration keys are valid. */
  readonly acceptsDemoKeys?: boolean | undefined;
  /** The time in epoch milliseconds, stored with the keys that were used. */
  readonly now: () => number;
  /** Monotonic milliseconds, by which entries age: nobody can step this clock back. */
  readonly monotonic?: () => number;
  /** Called if used keys could not be marked. The next attempt includes them. */
  readonly onError: (error: unknown) => void;
}

/** Verifies tokens. Keys and unknown tokens are cached apart, so a flood of guesses evicts no valid key. */
export function createApiKeyCache(options: ApiKeyCacheOptions): ApiKeyCache {
  const { format, keys, acceptsDemoKeys, now, monotonic = () => performance.now(), onError } = options;
  const perf = { now: monotonic };
  const known = new LRUCache<string, ActiveKey>({ max: MAX_KEYS, ttl: TTL, ttlResolution: 0, perf });
  const unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: TTL, ttlResolution: 0, perf });
  const underway = new Map<string, Promise<ActiveKey | undefined>>();
  const findActive = together((digests) => keys.findActive(digests));
  const used = new Set<string>();

  async function lookUp(token: string): Promise<ActiveKey | undefined> {
    const start = monotonic();
    const found = await findActive(digestOf(token));
    const key = found?.id.startsWith(DEMO_KEY) && !acceptsDemoKeys ? undefined : found;
    if (key) known.set(token, key, { start });
    else {
      known.delete(token);
      unknown.set(token, true, { start });
    }
    return key;
  }

  async function askOnce(token: string): Promise<ActiveKey | undefined> {
    let answer = underway.get(token);
    if (!answer) {
      answer = lookUp(token).finally(() => underway.delete(token));
      underway.set(token, answer);
    }
    const key = await answer;
    if (key) used.add(key.id);
    return key;
  }

  async function markUsed(): Promise<void> {
    if (used.size === 0) return;
    const ids = [...used];
    used.clear();
    try {
      await keys.markUsed(ids, new Date(now()));
    } catch (error) {
      for (const id of ids) used.add(id);
      onError(error);
    }
  }

  const timer = setInterval(() => void markUsed(), MARK_INTERVAL);
  timer.unref();

  return {
    find(token) {
      const key = known.get(token);
      if (key) used.add(key.id);
      return key || unknown.has(token) || !format.isWellFormed(token) ? key : askOnce(token);
    },
    findAgain(token) {
      if (!format.isWellFormed(token)) return undefined;
      const isFresh = known.getRemainingTTL(token) > TTL - TTL_AGAIN;
      return (isFresh ? known.get(token) : undefined) ?? askOnce(token);
    },
    async close() {
      clearInterval(timer);
      await markUsed();
    },
  };
}

/**
 * Looks items up by one statement at a time, each for all that wait then. So a flood of guesses, from however many
 * addresses, takes one connection, and a valid key waits for two statements at most, whatever the quota of its address.
 */
function together<Value>(
  find: (items: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (item: string) => Promise<Value | undefined> {
  let waiting: string[] = [];
  let next: Promise<ReadonlyMap<string, Value>> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function findWaiting(): Promise<ReadonlyMap<string, Value>> {
    const items = waiting;
    waiting = [];
    next = undefined;
    return find(items);
  }

  return async (item) => {
    waiting.push(item);
    if (!next) {
      next = last.then(findWaiting);
      last = next.catch(() => undefined);
    }
    return (await next).get(item);
  };
}
