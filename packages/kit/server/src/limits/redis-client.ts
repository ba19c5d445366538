import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { limitScript, type LimitRequest, type LimitResult } from './redis-script.ts';

const CONNECT_TIMEOUT = 1_000;
// While there is no connection a command fails at once, and the local limiter answers. A server that is loading its file
// says so to each command; with its own check ioredis waits for it without a word.
const options = {
  connectTimeout: CONNECT_TIMEOUT,
  keepAlive: 10_000,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times: number) => Math.min(times * 100, 1_000),
  enableReadyCheck: false,
};

const ONE_SIDED = /ECONNRESET|ETIMEDOUT|says nothing/;
const NO_DATABASE = /^ERR (?:DB index|SELECT)/;

/** The part of a Redis client that limiting needs. */
export interface LimitClient {
  /** Runs the script on the account that is kept under `key`. */
  limit(key: string, request: LimitRequest): Promise<LimitResult>;
  /** Drops the connection and makes a new one. */
  reconnect(): void;
  /** What keeps it from a connection that works, such as ECONNREFUSED or WRONGPASS; undefined while nothing is known to. */
  fault(): Error | undefined;
  close(): void;
}

/** Connects to Redis or Valkey at `url`. Resolves once it is tried. */
export async function connectRedis(url: string): Promise<LimitClient> {
  const client = new Redis(url, options);
  // A command that fails says only that there is no connection.
  let fault: Error | undefined;
  // That the database in the URL is none of the server's: ioredis says so, and goes on with the first one.
  let wrongDatabase: Error | undefined;
  client.on('error', (error) => {
    fault = error;
    if (NO_DATABASE.test(error.message)) wrongDatabase = error;
  });
  client.on('connect', () => (wrongDatabase = undefined));
  // Its own status goes on saying so of a connection that is being given up.
  let isReady = false;
  client.on('ready', () => {
    if (wrongDatabase) return;
    isReady = true;
    fault = undefined;
  });
  client.on('close', () => (isReady = false));
  client.defineCommand('limit', { numberOfKeys: 1, lua: limitScript });
  const tried = new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close'] as const) client.once(event, () => resolve());
  });
  // A frozen server accepts the connection and then says nothing, which is none of these events.
  await Promise.race([tried, sleep(CONNECT_TIMEOUT, undefined, { ref: false })]);
  /** One that is closed during the greetings of TLS may fail twice, and ioredis listens for the first time alone. */
  function disconnect(reconnect: boolean): void {
    (client.stream as Redis['stream'] | undefined)?.on('error', () => undefined);
    client.disconnect(reconnect);
  }
  const script = client as unknown as { limit(key: string, request: string): Promise<string> };
  return {
    limit: async (key, request) => {
      if (wrongDatabase) throw wrongDatabase;
      return JSON.parse(await script.limit(key, JSON.stringify(request))) as LimitResult;
    },
    reconnect: () => {
      isReady = false;
      disconnect(true);
    },
    fault() {
      const told = fault ?? (isReady ? undefined : new Error('it accepts a connection and says nothing'));
      // Neither side of a connection that only one takes for TLS says so.
      return told && ONE_SIDED.test(told.message)
        ? new Error(`${told.message}; is TLS on one side alone?`)
        : told;
    },
    close: () => {
      disconnect(false);
    },
  };
}
