import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { filesIn } from '../data-dir.ts';
import { limiterFallback } from '../metrics.ts';
import { noCountersFile, openCountersFile } from './counters-file.ts';
import { createEmbeddedLimiter } from './embedded-limiter.ts';
import type { Limiter } from './limiter.ts';
import { connectRedis } from './redis-client.ts';
import { createRedisLimiter } from './redis-limiter.ts';

export interface OpenLimiterOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly now: () => number;
}

/** Opens the configured limiter: Redis where there is a REDIS_URL, in this process and DATA_DIR otherwise. */
export async function openLimiter({ config, log, now }: OpenLimiterOptions): Promise<Limiter> {
  const policy = { refusalRatio: config.banRefusalRatio, duration: config.banSeconds * 1000 };
  const embedded = (file = noCountersFile) =>
    createEmbeddedLimiter({
      file,
      policy,
      now,
      onError: (error) => {
        log.error({ err: error }, 'counters could not be stored');
      },
    });
  if (config.redisUrls.length === 0) return embedded(openCountersFile(filesIn(config.dataDir).counters));
  return createRedisLimiter({
    client: await connectRedis(config.redisUrls),
    policy,
    instances: config.instances,
    local: embedded(),
    now,
    onChange: (to, reason) => {
      limiterFallback.set(to === 'fallback' ? 1 : 0);
      if (to === 'redis') log.info('Redis answers again; limits are shared');
      else
        log.warn(
          { err: reason },
          `Redis does not answer; each of ${config.instances} instances limits alone`,
        );
    },
  });
}
