import { noCountersFile } from '../../src/limits/counters-file.ts';
import { createEmbeddedLimiter } from '../../src/limits/embedded-limiter.ts';
import type { Limiter } from '../../src/limits/limiter.ts';
import { connectRedis } from '../../src/limits/redis-client.ts';
import { createRedisLimiter } from '../../src/limits/redis-limiter.ts';
import { policy } from '../suites/limiter.ts';
import type { TestClock } from './service.ts';

interface Options {
  readonly url: string;
  readonly instances?: number;
  /** Where it is not given, it is the clock of this machine, and that of Redis. */
  readonly clock?: TestClock;
  /** What is exact is tested without the deadline, which a busy machine may miss. */
  readonly deadline?: number;
}

const opened: Limiter[] = [];
afterEach(() => Promise.all(opened.splice(0).map((limiter) => limiter.close())));

/** The limiter that counts in this process alone, until the end of the test. */
export function openEmbeddedLimiter(now: () => number): Limiter {
  const onError = (error: unknown) => {
    throw error;
  };
  const limiter = createEmbeddedLimiter({ file: noCountersFile, policy, now, onError });
  opened.push(limiter);
  return limiter;
}

/** The limiter in Redis until the end of the test, with who limits from when on. */
export async function openRedisLimiter({ url, instances = 1, clock, deadline = 10_000 }: Options) {
  const changes: string[] = [];
  const now = clock ?? Date.now;
  const limiter = createRedisLimiter({
    name: 'library',
    client: await connectRedis(url),
    policy,
    instances,
    local: openEmbeddedLimiter(now),
    now,
    onChange: (to) => {
      // Another reason is told of as well, and is no change of who limits.
      if (changes.at(-1) !== to) changes.push(to);
    },
    ...(clock && { serverClock: clock }),
    deadline,
  });
  opened.push(limiter);
  return { limiter, changes };
}
