import {
  CLOCK_TOLERANCE,
  banned,
  refused,
  type Account,
  type BanPolicy,
  type Decision,
  type RateLimitState,
} from '@kit/contract/windows';
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
  const bans = new LRUCache<string, { until: number; banEpoch: number }>({ max: MAX_BANS });
  /** Why Redis is down; undefined while it works. */
  let failure: string | undefined;
  /** The reasons since Redis last worked. They may alternate, as for a plain connection to a TLS port. */
  const reported = new Set<string>();
  let isClosed = false;

  function requestLimit(account: Account, consumes: boolean): Promise<LimitResult> {
    const [key, request] = limitRequest(name, account, policy, consumes, serverClock?.());
    const answer = client.limit(key, request);
    return answerWithin(deadline, answer);
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

  function knownBan({ id, banEpoch }: Account): number | undefined {
    const ban = bans.get(id);
    if (!ban || banEpoch === undefined || banEpoch > ban.banEpoch) return undefined;
    const left = ban.until - now();
    return left > 0 && left <= policy.duration + CLOCK_TOLERANCE ? ban.until : undefined;
  }

  return {
    async consume(account): Promise<Decision> {
      const result = await resultOf(account, true);
      if (!result) {
        const until = knownBan(account);
        return until === undefined ? local.consume(shareOf(account)) : banned(account, until, now());
      }
      const { limit, remaining, resetAt, refusedBy, isNewBan } = result;
      if (refusedBy === undefined) return { limit, remaining, resetAt };
      if (refusedBy !== 'ban') return refused(limit, refusedBy, resetAt, result.now);
      // By our clock, because it is compared with it.
      const until = now() + resetAt - result.now;
      bans.set(account.id, { until, banEpoch: account.banEpoch ?? 0 });
      return banned(account, resetAt, result.now, isNewBan);
    },
    async peek(account): Promise<RateLimitState> {
      const result = await resultOf(account, false);
      if (result) return { limit: result.limit, remaining: result.remaining, resetAt: result.resetAt };
      const until = knownBan(account);
      return until === undefined
        ? local.peek(shareOf(account))
        : { limit: account.quota.perMinute, remaining: 0, resetAt: until };
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
function answerWithin<Answer>(deadline: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no response within ${deadline} ms`));
    // If our event loop stalled, the response is in the socket, and is read before the second turn.
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), deadline).unref();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
