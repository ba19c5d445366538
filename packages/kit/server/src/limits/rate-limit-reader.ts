import { newCounters, peek, type Account, type RateLimitState } from '@contract-kit/core/limits';
import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { countersFileIn } from '../data-dir.ts';
import { reasonOf, OperatorError } from '../operator-error.ts';
import { readCountersFile } from './counters-file.ts';
import { limitRequest } from './redis-script.ts';

/** Reads the rate-limit state of keys while services run. Throws an OperatorError if it cannot be read. */
export interface RateLimitReader {
  stateOf(account: Account): Promise<RateLimitState>;
  close(): void;
}

export async function openRateLimitReader(name: string, config: Config): Promise<RateLimitReader> {
  const { redisUrl, banPolicy } = config;
  if (redisUrl === undefined) {
    const file = countersFileIn(config.dataDir);
    const counted = new Map(existsSync(file) ? readCountersFile(file) : []);
    return {
      stateOf: (account) => {
        const counters = counted.get(account.id) ?? newCounters();
        return Promise.resolve(peek(counters, account, banPolicy, Date.now()));
      },
      close() {},
    };
  }
  const { connectRedis } = await import('./redis-client.ts');
  const client = await connectRedis(redisUrl);
  return {
    async stateOf(account) {
      const asked = client.limit(...limitRequest(name, account, banPolicy, false));
      const { counters, now } = await asked.catch((error: unknown) => {
        throw new OperatorError(
          `cannot read the limits of keys from Redis: ${reasonOf(client.fault() ?? error)}`,
        );
      });
      return peek(counters, account, banPolicy, now);
    },
    close: () => client.close(),
  };
}
