import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Account, BanPolicy, Decision, Limiter, RateLimitState } from './limiter.ts';
import { banned, refused } from './windows.ts';

const PROBE_INTERVAL = 250;
/** Probes without an answer until the connection itself is given up. */
const PROBES_PER_CONNECTION = 8;
const MAX_BANS = 20_000;
const PROBE_QUOTA = { perMinute: 1_000_000, perDay: 1_000_000 };

type Verdict = [verdict: number, limit: number, remaining: number, resetAt: number, now: number];

/** The part of a Redis client that limiting needs. */
export interface LimitClient {
  limit(key: string, ...args: (string | number)[]): Promise<Verdict>;
  /** Drops the connection and makes a new one; in a cluster, after asking anew which node has what. */
  reconnect(): void;
  close(): Promise<void>;
}

export interface RedisLimiterOptions {
  readonly client: LimitClient;
  readonly policy: BanPolicy;
  /** Instances that share the Redis server: while it does not answer, each grants its part of a quota. */
  readonly instances: number;
  /** Counts while Redis does not answer. */
  readonly local: Limiter;
  readonly now: () => number;
  /** Called each time limiting changes over, with the reason; not for each request. */
  readonly onChange: (to: 'redis' | 'fallback', reason: unknown) => void;
  /** How long Redis may take to answer, in milliseconds, before it is taken to be down; 50 by default. */
  readonly deadline?: number;
  /** Epoch milliseconds in place of the Redis server's clock, for tests. */
  readonly serverClock?: () => number;
}

/**
 * Counts in Redis or Valkey, one round trip per request, so that any number of instances share every window and ban.
 * While it is down, frozen or failing, a local limiter takes over within 50 ms: at most one quota per window is
 * granted in addition, by all instances together, and bans that this one knows of hold.
 */
export function createRedisLimiter(options: RedisLimiterOptions): Limiter {
  const { client, policy, instances, local, now, onChange, deadline = 50, serverClock } = options;
  const bans = new LRUCache<string, { until: number; banGeneration: number }>({ max: MAX_BANS });
  let isHealthy = true;
  let isClosed = false;

  function ask(account: Account, mode: 'consume' | 'peek', suffix = ''): Promise<Verdict> {
    const { id, quota, banGeneration = -1 } = account;
    const banAfter = policy.refusalRatio * quota.perMinute;
    // One key per account, so that a cluster keeps all of an account in one place.
    const key = `petstore:limit:{${id}}${suffix}`;
    const time = serverClock?.() ?? '';
    const args = [
      key,
      time,
      quota.perMinute,
      quota.perDay,
      banGeneration,
      banAfter,
      policy.duration,
      mode,
    ] as const;
    return answerWithin(deadline, client.limit(...args));
  }

  async function verdictOn(account: Account, mode: 'consume' | 'peek'): Promise<Verdict | undefined> {
    if (!isHealthy) return undefined;
    try {
      return await ask(account, mode);
    } catch (error) {
      if (isHealthy && !isClosed) {
        isHealthy = false;
        onChange('fallback', error);
        void probeUntilHealthy(account);
      }
      return undefined;
    }
  }

  /** Asks where nobody answered about `account`: in a cluster, other nodes may well answer about other accounts. */
  async function probeUntilHealthy({ id }: Account): Promise<void> {
    for (let probes = 1; !isClosed; probes += 1) {
      await sleep(PROBE_INTERVAL, undefined, { ref: false });
      try {
        // It consumes, because a server that can be read may still refuse to write.
        await ask({ id, quota: PROBE_QUOTA }, 'consume', ':probe');
        isHealthy = true;
        onChange('redis', undefined);
        return;
      } catch {
        if (probes % PROBES_PER_CONNECTION === 0 && !isClosed) client.reconnect();
      }
    }
  }

  function shareOf({ id, quota }: Account): Account {
    const share = (whole: number) => Math.floor(whole / instances);
    return { id, quota: { perMinute: share(quota.perMinute), perDay: share(quota.perDay) } };
  }

  function knownBan({ id, banGeneration }: Account): number | undefined {
    const ban = bans.get(id);
    if (!ban || banGeneration === undefined || banGeneration > ban.banGeneration || ban.until <= now())
      return undefined;
    return ban.until;
  }

  return {
    async consume(account): Promise<Decision> {
      const verdict = await verdictOn(account, 'consume');
      if (!verdict) {
        const until = knownBan(account);
        return until === undefined ? local.consume(shareOf(account)) : banned(account, until, now());
      }
      const [outcome, limit, remaining, resetAt, time] = verdict;
      if (outcome === 1 || outcome === 2)
        return refused(limit, outcome === 1 ? 'minute' : 'day', resetAt, time);
      if (outcome === 0) return { limit, remaining, resetAt };
      // Kept by our own clock, which is what it is compared with.
      bans.set(account.id, { until: now() + resetAt - time, banGeneration: account.banGeneration ?? 0 });
      return banned(account, resetAt, time, outcome === 4);
    },
    async peek(account): Promise<RateLimitState> {
      const verdict = await verdictOn(account, 'peek');
      if (verdict) return { limit: verdict[1], remaining: verdict[2], resetAt: verdict[3] };
      const until = knownBan(account);
      return until === undefined
        ? local.peek(shareOf(account))
        : { limit: account.quota.perMinute, remaining: 0, resetAt: until };
    },
    async close() {
      isClosed = true;
      await local.close();
      await client.close();
    },
  };
}

/** Rejects unless `answer` comes in time. An answer that comes after all is of no interest, nor is its failure. */
function answerWithin<Answer>(deadline: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(new Error(`no answer within ${deadline} ms`));
    };
    // If it was our own event loop that stalled, the answer is in the socket: it is read before the second turn.
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), deadline).unref();
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
