import type { Database, Query } from '../database/sql.ts';

/** How long a response is kept, in milliseconds. */
export const KEPT_FOR = 24 * 60 * 60_000;
/** How long another instance takes a request for under way, in milliseconds by the clock of the database. */
const CLAIM_TIME = 60_000;
/** How often expired responses are deleted, in milliseconds, and how many at once. */
const SWEEP_INTERVAL = 60_000;
const SWEPT_AT_ONCE = 100;

/** A response as it was sent, without the headers of every response. */
export interface KeptResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | boolean>>;
  readonly body: Buffer | undefined;
}

/** The first request with an idempotency key. */
export interface FirstRequest {
  readonly fingerprint: string;
  /** Whether another instance may still be at work on it. */
  readonly isUnderWay: boolean;
  /** Absent if it was not kept, or not yet. */
  readonly response?: KeptResponse;
}

/** The first responses to requests with an idempotency key. Every method rejects with StoreUnavailable. */
export interface ResponseStore {
  /** Commits that this is the first request with the key `id`: undefined. Otherwise resolves to the first one. */
  claim(id: string, fingerprint: string): Promise<FirstRequest | undefined>;
  /** Keeps the response to a claimed request; within a transaction by its `query`. */
  keep(id: string, response: KeptResponse, query?: Query): Promise<void>;
  /** Notes that the claimed request is answered, and its response not kept. */
  omit(id: string): Promise<void>;
  /** Forgets a claim, so that a repeat runs again. A response that a transaction has kept stays. */
  release(id: string): Promise<void>;
}

interface Row {
  readonly fingerprint: string;
  readonly waits: number | boolean;
  readonly status: number | null;
  readonly headers: string;
  readonly body: Uint8Array | null;
}

/** `now` is in epoch milliseconds. */
export function createResponseStore({ engine, query: standard }: Database, now: () => number): ResponseStore {
  // Only one process has an SQLite store: a claim of another one is never under way.
  const [clock, claimTime] =
    engine === 'postgres'
      ? ['CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)', CLAIM_TIME]
      : ['0', 0];
  let nextSweep = 0;

  async function sweep(at: number): Promise<void> {
    // Asked twice: PostgreSQL checks a row again that a claim has just renewed, but not the list of ids.
    const sql = `DELETE FROM idempotency_keys WHERE expires_at <= $1 AND id IN
      (SELECT id FROM idempotency_keys WHERE expires_at <= $1 LIMIT ${SWEPT_AT_ONCE}) RETURNING id`;
    for (let swept = 1; swept > 0;) swept = (await standard(sql, [at])).length;
  }

  async function firstOf(id: string): Promise<FirstRequest | undefined> {
    const [row] = await standard<Row>(
      `SELECT fingerprint, claimed_until > ${clock} AS waits, status, headers, body
       FROM idempotency_keys WHERE id = $1`,
      [id],
    );
    if (!row) return undefined;
    const { fingerprint, waits, status, headers, body } = row;
    if (status === null) return { fingerprint, isUnderWay: Boolean(waits) };
    const kept = { status, headers: JSON.parse(headers) as KeptResponse['headers'] };
    return {
      fingerprint,
      isUnderWay: false,
      response: { ...kept, body: body === null ? undefined : Buffer.from(body) },
    };
  }

  return {
    async claim(id, fingerprint) {
      const at = now();
      if (at >= nextSweep) {
        nextSweep = at + SWEEP_INTERVAL;
        // The next sweep deletes what this one could not.
        sweep(at).catch(() => undefined);
      }
      for (;;) {
        const claimed = await standard(
          `INSERT INTO idempotency_keys AS known (id, fingerprint, claimed_until, expires_at)
           VALUES ($1, $2, ${clock} + ${claimTime}, $3)
           ON CONFLICT (id) DO UPDATE
             SET fingerprint = excluded.fingerprint, claimed_until = excluded.claimed_until,
                 expires_at = excluded.expires_at, status = NULL, headers = NULL, body = NULL
             WHERE known.expires_at <= $4
           RETURNING id`,
          [id, fingerprint, at + KEPT_FOR, at],
        );
        if (claimed.length > 0) return undefined;
        const first = await firstOf(id);
        // Otherwise it was released meanwhile.
        if (first) return first;
      }
    },
    async keep(id, { status, headers, body }, query = standard) {
      await query('UPDATE idempotency_keys SET status = $2, headers = $3, body = $4 WHERE id = $1', [
        id,
        status,
        JSON.stringify(headers),
        body,
      ]);
    },
    async omit(id) {
      await standard('UPDATE idempotency_keys SET claimed_until = 0 WHERE id = $1', [id]);
    },
    async release(id) {
      await standard('DELETE FROM idempotency_keys WHERE id = $1 AND status IS NULL', [id]);
    },
  };
}
