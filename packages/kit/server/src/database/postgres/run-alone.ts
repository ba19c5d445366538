import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type ClientConfig } from 'pg';
import type { Query } from '../sql.ts';
import type { PostgresOptions } from './database.ts';
import { sqlstateOf } from './sqlstate.ts';

/** How often it asks for the lock, and whether its connection lives and can write; in milliseconds. */
const INTERVAL = 1_000;
/** How long the server may take to respond, in milliseconds. With INTERVAL less than 5 s. */
const TIMEOUT = 3_000;
/** How often it looks for its lock from a new connection, in milliseconds. */
const LOOK_INTERVAL = 3_000;
/** How long the lock counts without being seen from there, and without a statement on its connection; in milliseconds. */
const UNSEEN = 10_000;
/** How long the holder before may take to notice that it lost the lock, and to stop; in milliseconds. More than UNSEEN. */
const HANDOVER = 15_000;
/** SQLSTATE of a setting that the server does not know. */
const UNKNOWN_SETTING = '42704';

/** `check` rejects, and rolls a transaction back by that, unless the lock is held where its `query` runs. */
export type Alone = (signal: AbortSignal, check: (query: Query) => Promise<void>) => Promise<void>;

interface Options extends Pick<PostgresOptions, 'url' | 'applicationName'> {
  /** Replaces HANDOVER in a test. */
  readonly handover?: number | undefined;
}

/**
 * Runs `work` while this instance alone holds the advisory lock `name`, on its own connection. Its signal aborts within
 * 5 s of losing the connection or the right to write, and within 10 s of a failover that leads new connections to another
 * server: then it waits for the lock again. Resolves when `work` does or when `signal` aborts.
 */
export async function runAlone(
  options: Options,
  name: string,
  signal: AbortSignal,
  work: Alone,
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
  work: Alone,
): Promise<void> {
  const config = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
    keepAlive: true,
  };
  const client = new pg.Client(config);
  const lose = () => {
    lost.abort();
    return undefined;
  };
  client.on('error', lose).on('end', lose);
  const done = new AbortController();
  try {
    await connect(client).catch(lose);
    let session: Session | undefined;
    while (!alone.aborted && !(session = await lock(client, name).catch(lose)))
      await sleep(INTERVAL, undefined, { signal: alone }).catch(() => undefined);
    const own = session;
    // Of a server that new connections do not reach it means nothing.
    if (!own || !(await isSeen(config, own).catch(lose))) return lose();
    void checkUntil(done.signal, client, lose);
    void lookUntil(done.signal, () => isSeen(config, own), lose);
    await sleep(handover, undefined, { signal: alone });
    await work(alone, async (query) => {
      if ((await query(SEEN, own)).length > 0) return;
      lose();
      throw new Error('another instance may have this background work: the transaction is rolled back');
    });
  } finally {
    done.abort();
    client.off('end', lose);
    void client.end().catch(() => undefined);
  }
}

async function connect(client: pg.Client): Promise<void> {
  await client.connect();
  // Otherwise a stopped process, or one behind a connection that hangs, would keep the lock.
  await client.query(`SET idle_session_timeout = ${UNSEEN}`).catch((error: unknown) => {
    // Before PostgreSQL 14.
    if (sqlstateOf(error) !== UNKNOWN_SETTING) throw error;
  });
}

/** Calls `lose` when the server does not respond in time, or is read-only. */
async function checkUntil(done: AbortSignal, client: pg.Client, lose: () => void): Promise<void> {
  while (!done.aborted) {
    await client
      .query<{ setting: string }>(`SELECT current_setting('transaction_read_only') AS setting`)
      .then(({ rows }) => rows[0]?.setting === 'off' || lose())
      .catch(lose);
    await sleep(INTERVAL, undefined, { signal: done }).catch(() => undefined);
  }
}

/** Calls `lose` when `look` does not see the lock, or fails for too long. */
async function lookUntil(done: AbortSignal, look: () => Promise<boolean>, lose: () => void): Promise<void> {
  const expire = (seenAt: number) => setTimeout(lose, UNSEEN - (performance.now() - seenAt)).unref();
  let timer = expire(performance.now());
  while (!done.aborted) {
    const startedAt = performance.now();
    // A failure says nothing: the server may have no connections left.
    const isSeen = await look().catch(() => undefined);
    if (isSeen === false) lose();
    if (isSeen) {
      clearTimeout(timer);
      timer = expire(startedAt);
    }
    await sleep(LOOK_INTERVAL, undefined, { signal: done }).catch(() => undefined);
  }
  clearTimeout(timer);
}

/** The process of the server that holds the lock, and when it started: no other server has one of both. */
type Session = readonly [pid: number, startedAt: string];

const STARTED_AT = 'CAST(extract(epoch FROM backend_start) AS text)';
const SEEN = `SELECT 1 AS seen FROM pg_stat_activity JOIN pg_locks USING (pid)
  WHERE pid = $1 AND ${STARTED_AT} = $2 AND locktype = 'advisory' AND granted`;

/** Whether the lock is held on the server to which new connections lead: after a failover by name that is another one. */
async function isSeen(config: ClientConfig, session: Session): Promise<boolean> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(SEEN, [...session])).rows.length > 0;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/**
 * Takes the lock unless another session has it: then resolves to undefined. The end of the session releases it. Rejects on
 * a server that cannot write, so that the next connection may find another one.
 */
async function lock(client: pg.Client, name: string): Promise<Session | undefined> {
  const { rows } = await client.query<{ setting: string; held: boolean | null }>(
    `SELECT setting,
       CASE setting WHEN 'off' THEN pg_try_advisory_lock(hashtextextended(current_schema() || $1, 0)) END AS held
     FROM current_setting('transaction_read_only') AS setting`,
    [` background ${name}`],
  );
  if (rows[0]?.setting !== 'off') throw new Error('PostgreSQL is read-only');
  if (rows[0].held !== true) return undefined;
  const own = await client.query<{ pid: number; startedAt: string }>(
    `SELECT pid, ${STARTED_AT} AS "startedAt" FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
  );
  const [{ pid, startedAt }] = own.rows as [{ pid: number; startedAt: string }];
  return [pid, startedAt];
}
