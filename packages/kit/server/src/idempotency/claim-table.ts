import { createSqlClock } from '../database/clock.ts';
import type { Database, Query } from '../database/sql.ts';
import type { Claim, Outcome } from './claim.ts';
import type { Lease } from './lease.ts';

/** How long a response is kept, in milliseconds. */
export const KEPT_FOR = 24 * 60 * 60_000;
/** How many expired responses are deleted at once. */
const SWEPT_AT_ONCE = 100;

/** A claim, and the response that was kept for it. */
export interface ClaimRow {
  readonly fingerprint: string;
  readonly token: string;
  /** 0 if it is over. */
  readonly claimedUntil: number;
  readonly isAtomic: number | boolean;
  readonly isAlive: number | boolean;
  readonly isExpired: number | boolean;
  readonly status: number | null;
  readonly headers: string;
  readonly body: Uint8Array | null;
}

/** The rows of claims. All reject as `query` of the database does. */
export interface ClaimTable {
  /** Deletes what has expired. */
  sweep(): Promise<void>;
  /** Resolves to false if there is a row with this id. */
  insert(claim: Claim, fingerprint: string, isAtomic: boolean): Promise<boolean>;
  find(id: string): Promise<ClaimRow | undefined>;
  /** Makes the claim of `row` this one. Resolves to false if `row` has changed. */
  take(claim: Claim, row: ClaimRow, fingerprint: string, isAtomic: boolean): Promise<boolean>;
}

/** `now` is in epoch milliseconds. */
export function createClaimTable(database: Database, lease: Lease, now: () => number): ClaimTable {
  const { query } = database;
  // One whose clock is ahead must not forget what others keep.
  const { time, timeIn } = createSqlClock(database, now);

  return {
    async sweep() {
      // Asked twice: PostgreSQL checks a row again that a claim has just renewed, but not the list of ids.
      const sql = `DELETE FROM idempotency_keys WHERE expires_at <= ${timeIn('$1')} AND id IN
        (SELECT id FROM idempotency_keys
         WHERE expires_at <= ${timeIn('$1')} AND NOT (${lease.isAlive}) LIMIT ${SWEPT_AT_ONCE})
        RETURNING id`;
      for (let swept = 1; swept > 0;) swept = (await query(sql, [time()])).length;
    },

    async insert({ id, token }, fingerprint, isAtomic) {
      // Without the condition it would wait for a transaction that has ended the claim, and is not over.
      const made = await query(
        `INSERT INTO idempotency_keys (id, fingerprint, token, claimed_until, is_atomic, expires_at)
         SELECT CAST($1 AS text), $2, $3, ${lease.until(isAtomic)}, ${isAtomic}, ${timeIn('$4')} + ${KEPT_FOR}
         WHERE NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE id = $1)
         ON CONFLICT (id) DO NOTHING RETURNING id`,
        [id, fingerprint, token, time()],
      );
      return made.length > 0;
    },

    async find(id) {
      const [row] = await query<ClaimRow>(
        `SELECT fingerprint, token, claimed_until AS "claimedUntil", is_atomic AS "isAtomic", ${lease.isAlive} AS "isAlive",
           expires_at <= ${timeIn('$2')} AS "isExpired", status, headers, body
         FROM idempotency_keys WHERE id = $1`,
        [id, time()],
      );
      return row;
    },

    async take({ id, token }, row, fingerprint, isAtomic) {
      const taken = await query(
        `UPDATE idempotency_keys SET fingerprint = $4, token = $5, claimed_until = ${lease.until(isAtomic)},
           is_atomic = ${isAtomic}, expires_at = ${timeIn('$6')} + ${KEPT_FOR}, status = NULL, headers = NULL, body = NULL
         WHERE id = (SELECT id FROM idempotency_keys WHERE id = $1 AND token = $2 AND claimed_until = $3 ${lease.unlocked})
         RETURNING id`,
        [id, row.token, row.claimedUntil, fingerprint, token, time()],
      );
      return taken.length > 0;
    },
  };
}

/** Ends a claim by `query`. Resolves to whether it could be ended: an `open` one once, `any` also later by a response. */
export async function endClaim(
  query: Query,
  claim: Claim,
  outcome: Outcome,
  which: 'open' | 'any',
): Promise<boolean> {
  return (await end(query, claim, outcome, which)).length > 0;
}

function end(query: Query, { id, token }: Claim, outcome: Outcome, which: 'open' | 'any') {
  const isOpen = 'id = $1 AND token = $2 AND claimed_until > 0';
  if (outcome === 'release')
    return query(`DELETE FROM idempotency_keys WHERE ${isOpen} RETURNING id`, [id, token]);
  if (outcome === 'omit')
    return query(`UPDATE idempotency_keys SET claimed_until = 0 WHERE ${isOpen} RETURNING id`, [id, token]);
  const { status, headers, body } = outcome;
  return query(
    `UPDATE idempotency_keys SET claimed_until = 0, status = $3, headers = $4, body = $5
     WHERE ${which === 'open' ? isOpen : 'id = $1 AND token = $2'} RETURNING id`,
    [id, token, status, JSON.stringify(headers), body],
  );
}
