import { renameSync, rmSync } from 'node:fs';
import { ADDRESS_QUOTA } from '@contract-kit/core/limits';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { countersFileIn } from '../data-dir.ts';
import { sqliteCodeOf } from '../database/sqlite/driver.ts';
import type { Metrics } from '../metrics.ts';
import { asOperatorError, reasonOf } from '../operator-error.ts';
import { noCountersFile, openCountersFile, type CountersFile } from './counters-file.ts';
import { createEmbeddedLimiter } from './embedded-limiter.ts';
import type { Limiter } from './limiter.ts';
import { createRedisLimiter } from './redis-limiter.ts';

export interface OpenLimiterOptions {
  /** The prefix of the keys in Redis. */
  readonly name: string;
  readonly config: Config;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly now: () => number;
}

/** Opens the configured limiter: Redis with a REDIS_URL, otherwise in this process and DATA_DIR. */
export async function openLimiter({ name, config, metrics, log, now }: OpenLimiterOptions): Promise<Limiter> {
  const { banPolicy: policy } = config;
  const embedded = (file = noCountersFile) =>
    createEmbeddedLimiter({
      file,
      policy,
      now,
      onError: (error) => {
        log.error({ err: error }, 'counters could not be stored');
      },
    });
  if (config.redisUrl === undefined) return openWithCounters(countersFileIn(config.dataDir), embedded, log);
  // Loads the Redis client only if it is needed.
  const { connectRedis } = await import('./redis-client.ts');
  let isAlone = false;
  const limiter = createRedisLimiter({
    name,
    client: await connectRedis(config.redisUrl),
    policy,
    instances: config.instances,
    local: embedded(),
    now,
    onChange: (to, reason) => {
      const wasAlone = isAlone;
      isAlone = to === 'fallback';
      metrics.limiterFallback.set(isAlone ? 1 : 0);
      if (!isAlone) log.info('Redis responds again; limits are shared');
      else if (wasAlone) log.warn(`Redis still does not respond, for another reason: ${reason}`);
      else log.warn(`Redis does not respond: ${reason}; each of ${config.instances} instances limits alone`);
    },
  });
  // Reports faults at the start, not with the first request. A read would not find a server that cannot write.
  await limiter.consume({ id: 'start', quota: ADDRESS_QUOTA });
  return limiter;
}

/** Renames a file that cannot be read: the service must start without it. */
function openWithCounters(path: string, open: (file: CountersFile) => Limiter, log: Logger): Limiter {
  try {
    return open(openCountersFile(path));
  } catch (error) {
    if (!/^SQLITE_(?:CORRUPT|ERROR|NOTADB)/.test(sqliteCodeOf(error) ?? ''))
      throw asOperatorError(`cannot open ${path}`, error);
    const aside = `${path}.unreadable`;
    renameSync(path, aside);
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    log.error(
      { err: error },
      `${path} cannot be read: ${reasonOf(error)}; every window restarts, and bans are lifted. The file is kept as ${aside}`,
    );
    return open(openCountersFile(path));
  }
}
