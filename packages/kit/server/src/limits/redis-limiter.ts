import {
  decisionOf,
  peek,
  type Account,
  type BanPolicy,
  type Counters,
  type Decision,
  type RateLimitState,
} from '@contract-kit/core/limits';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { reasonOf } from '../operator-error.ts';
import type { Limiter } from './limiter.ts';
import type { LimitClient } from './redis-client.ts';
import { limitRequest, type LimitResult } from './redis-script.ts';

const PROBE_INTERVAL = 250;
/** Failed probes before the connection is replaced. */
const PROBES_PER_CONNECTION = 8;
const MAX_BANS = 20_000;
/** Redis's errors for wrong credentials, permissions and databases, which a retry does not fix. */
const REFUSED =
  /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:The user executing the script|DB index|SELECT is not allowed))/;
const PROBE: Account = { id: 'probe', quota: { perMinute: 1_000_000, perDay: 1_000_000 } };

export interface RedisLimiterOptions {
  /** The prefix of the keys in Redis. */
  readonly name: string;
  readonly client: LimitClient;
  readonly policy: BanPolicy;
  /** Instances that share Redis. While it is down, each grants its part of a quota. */
  readonly instances: number;
  /** Counts while Redis is down. */
  readonly local: Limiter;
  readonly now: () => number;
  /** Called when Redis goes down or comes back, and once for each further reason. */
  readonly onChange: (to: 'redis' | 'fallback', reason: string) => void;
  /** How long Redis may take to respond, in milliseconds, before it counts as down; 50 by default. */
  readonly deadline?: number;
  /** Epoch milliseconds instead of the Redis server's clock, for tests. */
  readonly serverClock?: () => number;
}

/**
 * Counts in Redis or Valkey, one round trip per request, so that all instances share every window and ban. While it is
 * down, a local limiter takes over within 50 ms: at most one more quota per window is granted, and known bans hold.
 */
export function createRedisLimiter(options: RedisLimiterOptions): Limiter {
  const { name, client, policy, instances, local, now, onChange, deadline = 50, serverClock } = options;
  const bans = new LRUCache<string, Counters>({ max: MAX_BANS });
  /** Why Redis is down; undefined while it works. */
  let failure: string | undefined;
  /** The reasons since Redis last worked. They may alternate, as for a plain connection to a TLS port. */
  const reported = new Set<string>();
  let isClosed = false;

  function requestLimit(account: Account, consumes: boolean): Promise<LimitResult> {
    const [key, request] = limitRequest(name, account, policy, consumes, serverClock?.());
    const answer = client.limit(key, request);
    return settledWithin(deadline, answer);
  }

  function noteFailure(error: unknown): void {
    failure = reasonOf(client.fault() ?? error);
    if (isClosed || reported.has(failure)) return;
    reported.add(failure);
    onChange('fallback', failure);
  }

  /** Redis's response; undefined if there is none. */
  async function resultOf(account: Account, consumes: boolean): Promise<LimitResult | undefined> {
    if (failure !== undefined) return undefined;
    try {
      return await requestLimit(account, consumes);
    } catch (error) {
      if (failure === undefined && !isClosed) {
        noteFailure(error);
        void probeUntilHealthy();
      }
      return undefined;
    }
  }

  async function probeUntilHealthy(): Promise<void> {
    for (let probes = 1; !isClosed; probes += 1) {
      await sleep(PROBE_INTERVAL, undefined, { ref: false });
      try {
        // Not peek, because a server may accept reads but reject writes.
        await requestLimit(PROBE, true);
        failure = undefined;
        reported.clear();
        onChange('redis', '');
        return;
      } catch (error) {
        noteFailure(error);
        if (probes % PROBES_PER_CONNECTION === 0 && !isClosed) client.reconnect();
      }
    }
  }

  function shareOf({ id, quota }: Account): Account {
    // A quota below the number of instances still lets every caller through.
    const share = (whole: number) => Math.max(1, Math.floor(whole / instances));
    return { id, quota: { perMinute: share(quota.perMinute), perDay: share(quota.perDay) } };
  }

  /** The rejection of a key that Redis has banned. */
  function knownBan(account: Account): Decision | undefined {
    const counters = bans.get(account.id);
    const isBanned = counters && peek(counters, account, policy, now()).isBanned;
    return isBanned ? decisionOf(counters, account, now(), 'refused') : undefined;
  }

  return {
    async consume(account): Promise<Decision> {
      const result = await resultOf(account, true);
      if (!result) return knownBan(account) ?? local.consume(shareOf(account));
      const { counters, outcome } = result;
      const decision = decisionOf(counters, account, result.now, outcome);
      // By our clock, because it is compared with it.
      const banUntil = now() + counters.banUntil - result.now;
      if (decision.isBanned) bans.set(account.id, { ...counters, banUntil });
      return decision;
    },
    async peek(account): Promise<RateLimitState> {
      const result = await resultOf(account, false);
      if (!result) return knownBan(account) ?? local.peek(shareOf(account));
      return peek(result.counters, account, policy, result.now);
    },
    fault: () =>
      REFUSED.test(client.fault()?.message ?? failure ?? '')
        ? 'Redis rejects the credentials or the database in REDIS_URL'
        : undefined,
    async close() {
      isClosed = true;
      await local.close();
      client.close();
    },
  };
}

/** Rejects unless `answer` settles in time. Ignores a late result or failure. */
function settledWithin<Answer>(deadline: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no response within ${deadline} ms`));
    // If our event loop stalled, the response is in the socket, and is read before the second turn.
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), deadline).unref();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
