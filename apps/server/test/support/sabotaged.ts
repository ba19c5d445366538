import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { filesIn } from '../../src/data-dir.ts';
import { createApp } from '../../src/app.ts';
import { createHandlers } from '../../src/handlers.ts';
import { listen } from '../../src/listener/listen.ts';
import { createListener } from '../../src/listener/listener.ts';
import { createKeyRing } from '../../src/keys/key-ring.ts';
import { createKey } from '../../src/keys/create-key.ts';
import { openCountersFile } from '../../src/limits/counters-file.ts';
import { createEmbeddedLimiter } from '../../src/limits/embedded-limiter.ts';
import type { Handlers } from '../../src/pipeline/handler.ts';
import { openSqliteStore } from '../../src/store/open-sqlite-store.ts';

/** The app with some of its handlers replaced by ones that break the contract. */
export async function startSabotaged(sabotage: object, { checksReplies = true, now = Date.now } = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'petstore-'));
  const store = openSqliteStore(dataDir);
  const limiter = createEmbeddedLimiter({
    file: openCountersFile(filesIn(dataDir).counters),
    policy: { refusalRatio: 1, duration: 1000 },
    now,
    onError: (error) => {
      throw error;
    },
  });
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { base: null },
    { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const services = { ...store, now };
  const handlers = { ...createHandlers(services), ...sabotage } as Handlers;
  const keyRing = createKeyRing({
    keys: store.keys,
    now: Date.now,
    onError: (error) => {
      throw error;
    },
  });
  const app = await createApp({
    ...services,
    keyRing,
    limiter,
    log,
    handlers,
    checksReplies,
    corsOrigins: [],
    trustProxy: [],
    isAccepting: () => true,
  });
  const { server, drain } = createListener({ app, limiter, log, maxConnections: 100 });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const { key } = await createKey(store.keys, { name: 'test', plan: 'business', now: new Date() });
  return {
    origin,
    store,
    logged,
    request: (target: string, method = 'GET') =>
      fetch(origin + target, { method, headers: { authorization: `Bearer ${key}` } }),
    async stop() {
      await drain({ grace: 0, delay: 0 });
      await keyRing.close();
      await limiter.close();
      await store.close();
    },
  };
}
