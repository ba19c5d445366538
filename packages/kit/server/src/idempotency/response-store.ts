import { randomUUID } from 'node:crypto';
import type { Database, Query } from '../database/sql.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import type { Claim, KeptResponse, Outcome } from './claim.ts';
import { createLease } from './lease.ts';
import { createUnsettled } from './unsettled.ts';

/** How long a response is kept, in milliseconds. */
export const KEPT_FOR = 24 * 60 * 60_000;
/** How often expired responses are deleted, in milliseconds, and how many at once. */
const SWEEP_INTERVAL = 60_000;
const SWEPT_AT_ONCE = 100;

/** The first request with an idempotency key. */
export interface FirstRequest {
  readonly fingerprint: string;
  /** Whether a process may still be at work on it. */
  readonly isUnderWay: boolean;
  /** Absent if it was not kept, or not yet. */
  readonly response?: KeptResponse;
}

/** The first responses to requests with an idempotency key. */
export interface ResponseStore {
  /**
   * Commits that this is the first request with the key `id`: resolves to its claim. Otherwise resolves to the first one.
   * An `isAtomic` request runs again if its process is gone, and its claim was not ended. Call `leave` when its handler has
   * ended. Rejects with StoreUnavailable.
   */
  claim(id: string, fingerprint: string, isAtomic: boolean): Promise<Claim | FirstRequest>;
  /**
   * Ends a claim, later if the database fails. What a transaction has ended stays so, unless there is a response for it.
   * Never rejects.
   */
  end(claim: Claim, outcome: Outcome): Promise<void>;
  /** Ends a claim within a transaction, by its `query`. Resolves to whether the claim could be ended. Rejects as `query` does. */
  endWith(query: Query, claim: Claim, outcome: Outcome, which: 'open' | 'any'): Promise<boolean>;
  /** Tells other processes no longer that this one is at work on the request. */
  leave(claim: Claim): void;
  /** Ends what is left to be ended, if the database works. */
  close(): Promise<void>;
}

interface Row {
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

/** `now` is in epoch milliseconds. */
export function createResponseStore(database: Database, now: () => number): ResponseStore {
  const { engine, query: standard } = database;
  const lease = createLease(database);
  const unsettled = createUnsettled(store);
  // Instances share the clock of PostgreSQL: one whose clock is ahead must not forget what others keep. A test has its own.
  const isShared = engine === 'postgres' && now === Date.now;
  const time = () => (isShared ? null : now());
  const timeIn = (value: string) =>
    isShared ? `coalesce(CAST(${value} AS bigint), ${lease.clock})` : `CAST(${value} AS bigint)`;
  let nextSweep = 0;

  async function sweep(): Promise<void> {
    // Asked twice: PostgreSQL checks a row again that a claim has just renewed, but not the list of ids.
    const sql = `DELETE FROM idempotency_keys WHERE expires_at <= ${timeIn('$1')} AND id IN
      (SELECT id FROM idempotency_keys
       WHERE expires_at <= ${timeIn('$1')} AND NOT (${lease.isAlive}) LIMIT ${SWEPT_AT_ONCE})
      RETURNING id`;
    for (let swept = 1; swept > 0;) swept = (await standard(sql, [time()])).length;
  }

  async function insert({ id, token }: Claim, fingerprint: string, isAtomic: boolean) {
    // Without the condition it would wait for a transaction that has ended the claim, and is not over.
    const made = await standard(
      `INSERT INTO idempotency_keys (id, fingerprint, token, claimed_until, is_atomic, expires_at)
       SELECT CAST($1 AS text), $2, $3, ${lease.until(isAtomic)}, ${isAtomic}, ${timeIn('$4')} + ${KEPT_FOR}
       WHERE NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE id = $1)
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      [id, fingerprint, token, time()],
    );
    return made.length > 0;
  }

  async function find(id: string): Promise<Row | undefined> {
    const [row] = await standard<Row>(
      `SELECT fingerprint, token, claimed_until AS "claimedUntil", is_atomic AS "isAtomic", ${lease.isAlive} AS "isAlive",
         expires_at <= ${timeIn('$2')} AS "isExpired", status, headers, body
       FROM idempotency_keys WHERE id = $1`,
      [id, time()],
    );
    return row;
  }

  function mayTake(row: Row, fingerprint: string): boolean {
    if (row.isAlive) return false;
    if (row.isExpired) return true;
    return row.claimedUntil !== 0 && Boolean(row.isAtomic) && row.fingerprint === fingerprint;
  }

  /** Makes the claim of `row` this one, unless it has changed. */
  async function take({ id, token }: Claim, row: Row, fingerprint: string, isAtomic: boolean) {
    const taken = await standard(
      `UPDATE idempotency_keys SET fingerprint = $4, token = $5, claimed_until = ${lease.until(isAtomic)},
         is_atomic = ${isAtomic}, expires_at = ${timeIn('$6')} + ${KEPT_FOR}, status = NULL, headers = NULL, body = NULL
       WHERE id = (SELECT id FROM idempotency_keys WHERE id = $1 AND token = $2 AND claimed_until = $3 ${lease.unlocked})
       RETURNING id`,
      [id, row.token, row.claimedUntil, fingerprint, token, time()],
    );
    return taken.length > 0;
  }

  async function endWith(
    query: Query,
    { id, token }: Claim,
    outcome: Outcome,
    which: 'open' | 'any' = 'any',
  ) {
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

  async function store(claim: Claim, outcome: Outcome): Promise<void> {
    try {
      await endWith(standard, claim, outcome);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      // A response that cannot be stored is not kept.
      await endWith(standard, claim, 'omit');
    }
  }

  return {
    async claim(id, fingerprint, isAtomic) {
      const at = now();
      if (at >= nextSweep) {
        nextSweep = at + SWEEP_INTERVAL;
        // The next sweep deletes what this one could not.
        sweep().catch(() => undefined);
      }
      await unsettled.settle(id);
      const claim = { id, token: randomUUID() };
      try {
        for (;;) {
          if (await insert(claim, fingerprint, isAtomic)) return lease.renewing(claim);
          const row = await find(id);
          // It was released meanwhile.
          if (!row) continue;
          if (!mayTake(row, fingerprint)) return firstOf(row);
          if (await take(claim, row, fingerprint, isAtomic)) return lease.renewing(claim);
          return { fingerprint: row.fingerprint, isUnderWay: true };
        }
      } catch (error) {
        if (error instanceof StoreUnavailable && !error.isUnsent) unsettled.addDoubtful(claim);
        throw error;
      }
    },
    end: (claim, outcome) => store(claim, outcome).catch(() => unsettled.add(claim, outcome)),
    endWith: async (query, claim, outcome, which) => (await endWith(query, claim, outcome, which)).length > 0,
    leave: (claim) => lease.stopRenewing(claim),
    close() {
      lease.close();
      return unsettled.close();
    },
  };
}

function firstOf({ fingerprint, claimedUntil, isAlive, status, headers, body }: Row): FirstRequest {
  if (status === null) return { fingerprint, isUnderWay: claimedUntil !== 0 && Boolean(isAlive) };
  const kept = { status, headers: JSON.parse(headers) as KeptResponse['headers'] };
  const response = { ...kept, body: body === null ? undefined : Buffer.from(body) };
  return { fingerprint, isUnderWay: false, response };
}
