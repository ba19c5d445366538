/**
 * What the limiter keeps of a key that has sent a request today: `node --expose-gc bytes-per-key.js COUNT FILE`, or
 * `… COUNT URL` to fill a Redis. The limiter is the one that the service was built with.
 */
import { statSync } from 'node:fs';
import { noCountersFile, openCountersFile } from '@petstore/server/dist/limits/counters-file.js';
import { createEmbeddedLimiter } from '@petstore/server/dist/limits/embedded-limiter.js';
import type { Limiter } from '@petstore/server/dist/limits/limiter.js';
import { connectRedis } from '@petstore/server/dist/limits/redis-client.js';
import { createRedisLimiter } from '@petstore/server/dist/limits/redis-limiter.js';

/** Bytes per key; `loading` in microseconds per key. Redis knows itself what it uses. */
export interface BytesReport {
  readonly heap: number;
  readonly file: number;
  readonly loading: number;
}

const count = Number(process.argv[2]);
const place = process.argv[3] ?? '';
const policy = { refusalRatio: 1, duration: 900_000 };
const quota = { perMinute: 60, perDay: 1_000 };
const onError = (error: unknown) => {
  throw error;
};
const embedded = (file: Parameters<typeof createEmbeddedLimiter>[0]['file']) =>
  createEmbeddedLimiter({ file, policy, now: Date.now, onError });
console.log(JSON.stringify(place.startsWith('redis:') ? await inRedis() : await inProcess()));
process.exit();

async function consumeAll(limiter: Limiter): Promise<void> {
  for (let done = 0; done < count; done += 100) {
    await Promise.all(
      // As long as the id of a real key.
      Array.from({ length: 100 }, async (_, index) =>
        limiter.consume({ id: `key:key_${String(done + index).padStart(12, '0')}`, quota, banGeneration: 0 }),
      ),
    );
  }
}

async function inProcess(): Promise<BytesReport> {
  const heap = () => {
    global.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const limiter = embedded(openCountersFile(place));
  await consumeAll(limiter);
  // Closing stores what was counted; the counters stay for as long as the limiter is held.
  await limiter.close();
  const taken = heap() - before;
  const started = performance.now();
  const again = embedded(openCountersFile(place));
  const loading = ((performance.now() - started) * 1000) / count;
  await again.close();
  await limiter.peek({ id: 'key:none', quota });
  return { heap: taken / count, file: statSync(place).size / count, loading };
}

async function inRedis(): Promise<object> {
  const limiter = createRedisLimiter({
    client: await connectRedis(place),
    policy,
    instances: 1,
    local: embedded(noCountersFile),
    now: Date.now,
    onChange: (to, reason) => {
      if (to === 'fallback') onError(reason);
    },
    deadline: 10_000,
  });
  await consumeAll(limiter);
  await limiter.close();
  return {};
}
