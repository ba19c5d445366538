import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresOptions } from './database.ts';

/** How often it asks for the lock, and whether its connection lives; in milliseconds. */
const INTERVAL = 1_000;
/** How long the server may take to respond, in milliseconds. With INTERVAL less than 5 s. */
const TIMEOUT = 3_000;
/** How long the holder before may take to notice that it lost its connection, and to stop; in milliseconds. */
const HANDOVER = 15_000;

type Work = (signal: AbortSignal) => Promise<void>;

interface Options extends Pick<PostgresOptions, 'url' | 'applicationName'> {
  /** Replaces HANDOVER in a test. */
  readonly handover?: number | undefined;
}

/**
 * Runs `work` while this instance alone holds the advisory lock `name`, on its own connection. Its signal aborts within
 * 5 s of losing the connection: then it waits for the lock again. Resolves when `work` does or when `signal` aborts.
 */
export async function runAlone(
  options: Options,
  name: string,
  signal: AbortSignal,
  work: Work,
): Promise<void> {
  while (!signal.aborted) {
    const lost = new AbortController();
    const alone = AbortSignal.any([signal, lost.signal]);
    try {
      await whileLocked(options, name, lost, alone, work);
      if (!lost.signal.aborted) return;
    } catch (error) {
      if (!alone.aborted) throw error;
    }
    await sleep(INTERVAL, undefined, { signal }).catch(() => undefined);
  }
}

async function whileLocked(
  { url, applicationName, handover = HANDOVER }: Options,
  name: string,
  lost: AbortController,
  alone: AbortSignal,
  work: Work,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
    keepAlive: true,
  });
  const lose = () => lost.abort();
  client.on('error', lose).on('end', lose);
  const done = new AbortController();
  try {
    await client.connect().catch(lose);
    while (!alone.aborted && !(await holdsLock(client, name).catch(lose)))
      await sleep(INTERVAL, undefined, { signal: alone }).catch(() => undefined);
    if (alone.aborted) return;
    void checkUntil(done.signal, client, lose);
    await sleep(handover, undefined, { signal: alone });
    await work(alone);
  } finally {
    done.abort();
    client.off('end', lose);
    void client.end().catch(() => undefined);
  }
}

/** Calls `lose` when the server does not respond in time. */
async function checkUntil(done: AbortSignal, client: pg.Client, lose: () => void): Promise<void> {
  while (!done.aborted) {
    await client.query('SELECT 1').catch(lose);
    await sleep(INTERVAL, undefined, { signal: done }).catch(() => undefined);
  }
}

/** Takes the lock unless another session has it. The end of the session releases it. */
async function holdsLock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended(current_schema() || $1, 0)) AS held',
    [` background ${name}`],
  );
  return rows[0]?.held === true;
}
