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
/** Probes without an answer until the connection itself is given up. */
const PROBES_PER_CONNECTION = 8;
const MAX_BANS = 20_000;
/** What Redis says to wrong credentials, rights and databases, which time does not mend. */
const REFUSED =
  /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:The user executing the script|DB index|SELECT is not allowed))/;
const PROBE: Account = { id: 'probe', quota: { perMinute: 1_000_000, perDay: 1_000_000 } };

export interface RedisLimiterOptions {
  /** What its keys in Redis begin with. */
  readonly name: string;
  readonly client: LimitClient;
  readonly policy: BanPolicy;
  /** Instances that share the Redis server: while it does not answer, each grants its part of a quota. */
  readonly instances: number;
  /** Counts while Redis does not answer. */
  readonly local: Limiter;
  readonly now: () => number;
  /** Called when limiting changes over, and once for each further reason that Redis does not count; not for each request. */
  readonly onChange: (to: 'redis' | 'fallback', reason: string) => void;
  /** How long Redis may take to answer, in milliseconds, before it is taken to be down; 50 by default. */
  readonly deadline?: number;
  /** Epoch milliseconds in place of the Redis server's clock, for tests. */
  readonly serverClock?: () => number;
}

/**
 * Counts in Redis or Valkey, one round trip per request, so that all instances share every window and ban. While it is
 * down, a local limiter takes over within 50 ms: at most one more quota per window is granted, and known bans hold.
 */
export function createRedisLimiter(options: RedisLimiterOptions): Limiter {
  const { name, client, policy, instances, local, now, onChange, deadline = 50, serverClock } = options;
  const bans = new LRUCache<string, { until: number; banEpoch: number }>({ max: MAX_BANS });
  /** Why Redis does not count; undefined while it does. */
  let failure: string | undefined;
  /** The reasons since Redis last counted. They may alternate, as those of a connection without TLS to a port with it do. */
  const reported = new Set<string>();
  let isClosed = false;

  function ask(account: Account, consumes: boolean): Promise<LimitResult> {
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

  /** What Redis says; undefined where it does not answer. */
  async function resultOf(account: Account, consumes: boolean): Promise<LimitResult | undefined> {
    if (failure !== undefined) return undefined;
    try {
      return await ask(account, consumes);
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
        // Not peek, because a server that can be read may still refuse to write.
        await ask(PROBE, true);
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
    // A quota that is smaller than the number of instances still lets every caller through.
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
      // Kept by our own clock, which is what it is compared with.
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
        ? 'Redis refuses the credentials or the database in REDIS_URL'
        : undefined,
    async close() {
      isClosed = true;
      await local.close();
      client.close();
    },
  };
}

/** Rejects unless `answer` comes in time. An answer that comes after all is of no interest, nor is its failure. */
function answerWithin<Answer>(deadline: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${deadline} ms`));
    // If it was our own event loop that stalled, the answer is in the socket: it is read before the second turn.
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), deadline).unref();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
