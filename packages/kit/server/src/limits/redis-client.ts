import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { limitScript, type LimitRequest, type LimitResult } from './redis-script.ts';

const CONNECT_TIMEOUT = 1_000;
// Without a connection a command fails at once, and the local limiter decides. A server that is loading its file rejects
// each command; ioredis's ready check would wait for it silently.
const options = {
  connectTimeout: CONNECT_TIMEOUT,
  keepAlive: 10_000,
  // ioredis waits this long even if the connection is closed already.
  disconnectTimeout: 100,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times: number) => Math.min(times * 100, 1_000),
  enableReadyCheck: false,
};

const ONE_SIDED = /ECONNRESET|ETIMEDOUT|does not respond/;
const NO_DATABASE = /^ERR (?:DB index|SELECT)/;

export interface LimitClient {
  /** Runs the script on the account at `key`. */
  limit(key: string, request: LimitRequest): Promise<LimitResult>;
  /** Drops the connection and opens a new one. */
  reconnect(): void;
  /** Why there is no working connection, such as ECONNREFUSED or WRONGPASS; undefined if it is unknown. */
  fault(): Error | undefined;
  close(): void;
}

/** Connects to Redis or Valkey at `url`. Resolves after the first attempt. */
export async function connectRedis(url: string): Promise<LimitClient> {
  const client = new Redis(url, options);
  // A failed command only says that there is no connection.
  let fault: Error | undefined;
  // The server lacks the database in the URL: ioredis reports that, and continues with the first one.
  let wrongDatabase: Error | undefined;
  client.on('error', (error) => {
    fault = error;
    if (NO_DATABASE.test(error.message)) wrongDatabase = error;
  });
  client.on('connect', () => (wrongDatabase = undefined));
  let hasResponded = false;
  // ioredis's status still says "ready" while a connection is dropped.
  let isReady = false;
  client.on('ready', () => {
    if (wrongDatabase) return;
    isReady = true;
    fault = undefined;
  });
  client.on('close', () => {
    if (isReady) fault ??= new Error('it closed the connection');
    isReady = false;
  });
  client.defineCommand('limit', { numberOfKeys: 1, lua: limitScript });
  const tried = new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close'] as const) client.once(event, () => resolve());
  });
  // A frozen server accepts the connection and stays silent, without any of these events.
  await Promise.race([tried, sleep(CONNECT_TIMEOUT, undefined, { ref: false })]);
  /** A connection closed during the TLS handshake may fail twice, and ioredis only handles the first. */
  function disconnect(reconnect: boolean): void {
    (client.stream as Redis['stream'] | undefined)?.on('error', () => undefined);
    client.disconnect(reconnect);
  }
  const script = client as unknown as { limit(key: string, request: string): Promise<string> };
  return {
    limit: async (key, request) => {
      if (wrongDatabase) throw wrongDatabase;
      const result = await script.limit(key, JSON.stringify(request));
      hasResponded = true;
      return JSON.parse(result) as LimitResult;
    },
    reconnect: () => {
      isReady = false;
      disconnect(true);
    },
    fault() {
      const reason =
        fault ?? (isReady ? undefined : new Error('it accepts connections but does not respond'));
      // If only one side uses TLS, neither reports it.
      return reason && !hasResponded && ONE_SIDED.test(reason.message)
        ? new Error(`${reason.message}; does only one side use TLS?`)
        : reason;
    },
    close: () => {
      disconnect(false);
    },
  };
}
