import { renameSync, rmSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { countersFileIn } from '../data-dir.ts';
import { sqliteCodeOf } from '../database/sqlite/database.ts';
import type { Metrics } from '../metrics.ts';
import { asOperatorError, reasonOf } from '../operator-error.ts';
import { noCountersFile, openCountersFile, type CountersFile } from './counters-file.ts';
import { createEmbeddedLimiter } from './embedded-limiter.ts';
import type { Limiter } from './limiter.ts';
import { createRedisLimiter } from './redis-limiter.ts';

export interface OpenLimiterOptions {
  /** What the keys in Redis begin with. */
  readonly name: string;
  readonly config: Config;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly now: () => number;
}

/** Opens the configured limiter: Redis where there is a REDIS_URL, in this process and DATA_DIR otherwise. */
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
  // Its client is loaded only if it is used.
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
      if (!isAlone) log.info('Redis answers again; limits are shared');
      else if (wasAlone) log.warn(`Redis still does not answer, for another reason: ${reason}`);
      else log.warn(`Redis does not answer: ${reason}; each of ${config.instances} instances limits alone`);
    },
  });
  // What is wrong is said at the start, rather than with the first request. A server that cannot write can still be read.
  await limiter.consume({ id: 'start', quota: { perMinute: 60, perDay: 1_000 } });
  return limiter;
}

/** Sets the file aside where it cannot be read: without it the service is better than no service. */
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
      `${path} cannot be read: ${reasonOf(error)}; every window starts anew, and bans are forgotten. It is kept as ${aside}`,
    );
    return open(openCountersFile(path));
  }
}
