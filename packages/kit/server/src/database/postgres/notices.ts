import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Query } from '../sql.ts';
import type { PostgresOptions } from './database.ts';

/** How long it waits before it connects again, in milliseconds. */
const RECONNECT_PAUSE = 1_000;
/** How long one connection is used, in milliseconds: after a failover by name it may lead to the old primary. */
const RENEWAL = 60_000;
const TIMEOUT = 3_000;

/** Short texts that an instance sends to all of its database, itself included. Some may get lost. */
export interface Notices {
  send(texts: readonly string[]): Promise<void>;
  /** Listens on a connection of its own until the function that it returns is called. */
  listen(onNotice: (text: string) => void): () => void;
}

export function createNotices(
  channel: string,
  query: Query,
  { url, applicationName }: Pick<PostgresOptions, 'url' | 'applicationName'>,
): Notices {
  async function listenOnce(onNotice: (text: string) => void, signal: AbortSignal): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
      keepAlive: true,
    });
    const ended = new AbortController();
    const end = () => ended.abort();
    client.on('error', end).on('end', end);
    client.on('notification', ({ payload = '' }) => onNotice(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      await sleep(RENEWAL, undefined, { signal: AbortSignal.any([signal, ended.signal]), ref: false });
    } finally {
      client.end().catch(() => undefined);
    }
  }

  return {
    async send(texts) {
      await query('SELECT pg_notify($1, text) FROM unnest(CAST($2 AS text[])) AS texts (text)', [
        channel,
        texts,
      ]);
    },
    listen(onNotice) {
      const stopping = new AbortController();
      const { signal } = stopping;
      const run = async () => {
        while (!signal.aborted) {
          const lasted = await listenOnce(onNotice, signal).then(
            () => true,
            () => false,
          );
          if (!lasted) await sleep(RECONNECT_PAUSE, undefined, { signal, ref: false }).catch(() => undefined);
        }
      };
      void run();
      return () => stopping.abort();
    },
  };
}
