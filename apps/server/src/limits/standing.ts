import {
  newCounters,
  peek,
  voidImpossibleBan,
  type Account,
  type Counters,
  type RateLimitState,
} from '@petstore/contract/service';
import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { filesIn } from '../data-dir.ts';
import { SetupError } from '../setup-error.ts';
import { readCountersFile } from './counters-file.ts';
import { policyOf } from './policy.ts';
import { limitRequest } from './redis-script.ts';

/** Where a key stands in its windows. */
export interface Standing extends RateLimitState {
  /** When its ban ends, in epoch milliseconds; undefined for a key that is not banned. */
  readonly bannedUntil: number | undefined;
}

export interface Standings {
  of(account: Account): Promise<Standing>;
  close(): void;
}

/** Reads where keys stand, beside the services that count. Throws a SetupError where that cannot be read. */
export async function openStandings(config: Config): Promise<Standings> {
  return config.redisUrls.length > 0 ? inRedis(config) : inFile(config);
}

function inFile(config: Config): Standings {
  const file = filesIn(config.dataDir).counters;
  const counted = new Map<string, Counters>(existsSync(file) ? readCountersFile(file) : []);
  return {
    of(account) {
      const now = Date.now();
      const counters = { ...(counted.get(account.id) ?? newCounters()) };
      voidImpossibleBan(counters, policyOf(config), now);
      const isLifted = (account.banGeneration ?? 0) > counters.banGeneration;
      const bannedUntil = !isLifted && counters.banUntil > now ? counters.banUntil : undefined;
      return Promise.resolve({ ...peek(counters, account, now), bannedUntil });
    },
    close() {},
  };
}

async function inRedis(config: Config): Promise<Standings> {
  const { connectRedis } = await import('./redis-client.ts');
  const client = await connectRedis(config.redisUrls);
  return {
    async of(account) {
      const asked = client.limit(...limitRequest(account, policyOf(config), false));
      const { limit, remaining, resetAt, refusedBy } = await asked.catch((error: unknown) => {
        throw new SetupError(`Redis does not say where keys stand: ${String(client.fault() ?? error)}`);
      });
      return { limit, remaining, resetAt, bannedUntil: refusedBy === 'ban' ? resetAt : undefined };
    },
    close: () => {
      client.close();
    },
  };
}
