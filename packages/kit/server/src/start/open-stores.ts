import { watchDatabase, type DatabaseHealth } from '../database/health.ts';
import { declaredTopics, type Features } from '../feature.ts';
import { createFeed, type ServiceFeed } from '../feed/feed.ts';
import { createResponseStore } from '../idempotency/response-store.ts';
import { createApiKeyCache, type ApiKeyCache } from '../keys/api-key-cache.ts';
import type { Limiter } from '../limits/limiter.ts';
import { openLimiter } from '../limits/open-limiter.ts';
import { createSafeRepeats, type SafeRepeats } from '../pipeline/safe-repeats.ts';
import { lockDataDir } from '../store/data-dir-lock.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { demoNote, withoutRepetition } from './notes.ts';
import type { Start } from './prepare-start.ts';

/** The store of a service, and what depends on it or stands beside it. */
export interface Stores<Of extends Features = Features> {
  /** Its transactions keep responses for repeats. */
  readonly store: Store<Of>;
  readonly feed: ServiceFeed;
  readonly safeRepeats: SafeRepeats;
  readonly health: DatabaseHealth;
  readonly keyCache: ApiKeyCache;
  readonly limiter: Limiter;
}

export async function openStores<Of extends Features>(start: Start<Of>): Promise<Stores<Of>> {
  const { service, config, log, metrics, now, lifetime } = start;
  lockUnlessShared(start);
  const { store, safeRepeats } = await openKeepingStore(start);
  if (!start.demo && (await store.keys.hasDemoKey())) log.warn(demoNote(config));
  const health = watchDatabase({ ...store, log });
  lifetime.onClose(() => health.close());
  const keyCache = openKeyCache(start, store);
  const limiter = await openLimiter({ name: service.contract.name, config, metrics, log, now });
  lifetime.onClose(() => limiter.close());
  const feed = createFeed({ ...store.feed, topics: declaredTopics(service), log, now });
  lifetime.onClose(() => feed.close());
  await feed.start();
  return { store, feed, safeRepeats, health, keyCache, limiter };
}

/** Keeps other instances out, unless they share both the data and the counters. */
function lockUnlessShared({ service, config, log, lifetime }: Start): void {
  const isShared = config.databaseUrl !== undefined && config.redisUrl !== undefined;
  if (isShared) return;
  lifetime.onClose(lockDataDir(config.dataDir, service.contract.databaseFile));
  if (config.databaseUrl !== undefined) {
    log.warn('DATABASE_URL without REDIS_URL: limits are counted in this process, so run one instance only');
  }
}

async function openKeepingStore<Of extends Features>({
  service,
  config,
  log,
  metrics,
  now,
  handover,
  lifetime,
}: Start<Of>): Promise<Pick<Stores<Of>, 'store' | 'safeRepeats'>> {
  const opened = await openStore(service, {
    ...config,
    handover,
    onPool: (pool) => metrics.observePool(pool),
    onError: (error) => {
      log.warn({ err: error }, 'a database connection was lost');
    },
  });
  lifetime.onClose(() => opened.close());
  const responses = createResponseStore(opened.responses, now);
  lifetime.onClose(() => responses.close());
  const safeRepeats = createSafeRepeats(responses);
  return { store: { ...opened, transaction: safeRepeats.keeping(opened.transaction) }, safeRepeats };
}

function openKeyCache({ state, log, demo, now, monotonic, lifetime }: Start, { keys }: Store): ApiKeyCache {
  const keyCache = createApiKeyCache({
    format: state.keyFormat,
    keys,
    acceptsDemoKeys: demo,
    now,
    monotonic,
    onError: (error) => {
      log.warn({ err: withoutRepetition(error) }, 'the last use of keys could not be stored');
    },
  });
  lifetime.onClose(() => keyCache.close());
  return keyCache;
}
