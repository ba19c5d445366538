import { LRUCache } from 'lru-cache';
import { digestOf, isWellFormedApiKey } from './api-key.ts';
import type { ActiveKey, KeyStore } from './key-store.ts';

/** For how long the store's word on a key is taken, in milliseconds: a revocation may arrive 5 seconds late at most. */
const TTL = 4_500;
const MOST_KEYS = 20_000;
const MOST_UNKNOWN = 20_000;

export interface KeyRing {
  /** The key that `token` is, or undefined. Throws StoreUnavailable where that cannot be told. */
  find(token: string): Promise<ActiveKey | undefined>;
}

/**
 * Verifies tokens with at most one look-up per key and 5 seconds. Keys and unknown tokens are remembered apart, so
 * that a flood of guesses does not push valid keys out.
 */
export function createKeyRing({ keys, now }: { keys: KeyStore; now: () => number }): KeyRing {
  const perf = { now };
  const known = new LRUCache<string, ActiveKey>({ max: MOST_KEYS, ttl: TTL, ttlResolution: 0, perf });
  const unknown = new LRUCache<string, true>({ max: MOST_UNKNOWN, ttl: TTL, ttlResolution: 0, perf });
  const underway = new Map<string, Promise<ActiveKey | undefined>>();

  async function lookUp(digest: string): Promise<ActiveKey | undefined> {
    const asked = now();
    const key = await keys.findActive(digest);
    if (key) known.set(digest, key, { start: asked });
    else unknown.set(digest, true, { start: asked });
    return key;
  }

  return {
    async find(token) {
      if (!isWellFormedApiKey(token)) return undefined;
      const digest = digestOf(token);
      const key = known.get(digest);
      if (key || unknown.has(digest)) return key;
      let answer = underway.get(digest);
      if (!answer) {
        answer = lookUp(digest).finally(() => underway.delete(digest));
        underway.set(digest, answer);
      }
      return answer;
    },
  };
}
