import {
  newCounters,
  peek,
  voidImpossibleBan,
  type Account,
  type BanPolicy,
  type Counters,
  type RateLimitState,
} from '@kit/contract/windows';
import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { countersFileIn } from '../data-dir.ts';
import { reasonOf, OperatorError } from '../operator-error.ts';
import { readCountersFile } from './counters-file.ts';
import { limitRequest } from './redis-script.ts';

export interface KeyRateLimitState extends RateLimitState {
  /** When its ban ends, in epoch milliseconds; undefined for a key that is not banned. */
  readonly bannedUntil: number | undefined;
}

/** Reads the rate-limit state of keys while services run. Throws an OperatorError if it cannot be read. */
export interface RateLimitReader {
  stateOf(account: Account): Promise<KeyRateLimitState>;
  close(): void;
}

export async function openRateLimitReader(name: string, config: Config): Promise<RateLimitReader> {
  const { redisUrl, banPolicy } = config;
  return redisUrl === undefined ? inFile(config) : inRedis(name, redisUrl, banPolicy);
}

function inFile(config: Config): RateLimitReader {
  const file = countersFileIn(config.dataDir);
  const counted = new Map<string, Counters>(existsSync(file) ? readCountersFile(file) : []);
  return {
    stateOf(account) {
      const now = Date.now();
      const counters = { ...(counted.get(account.id) ?? newCounters()) };
      voidImpossibleBan(counters, config.banPolicy, now);
      const isLifted = (account.banEpoch ?? 0) > counters.banEpoch;
      const bannedUntil = !isLifted && counters.banUntil > now ? counters.banUntil : undefined;
      return Promise.resolve({ ...peek(counters, account, now), bannedUntil });
    },
    close() {},
  };
}

async function inRedis(name: string, url: string, policy: BanPolicy): Promise<RateLimitReader> {
  const { connectRedis } = await import('./redis-client.ts');
  const client = await connectRedis(url);
  return {
    async stateOf(account) {
      const asked = client.limit(...limitRequest(name, account, policy, false));
      const { limit, remaining, resetAt, refusedBy } = await asked.catch((error: unknown) => {
        throw new OperatorError(
          `cannot read the limits of keys from Redis: ${reasonOf(client.fault() ?? error)}`,
        );
      });
      return { limit, remaining, resetAt, bannedUntil: refusedBy === 'ban' ? resetAt : undefined };
    },
    close: () => {
      client.close();
    },
  };
}
