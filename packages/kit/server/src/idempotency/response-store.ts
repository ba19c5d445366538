import { randomUUID } from 'node:crypto';
import type { Database, Query } from '../database/sql.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import type { Claim, KeptResponse, Outcome } from './claim.ts';
import { createClaimTable, endClaim, type ClaimRow } from './claim-table.ts';
import { createLease } from './lease.ts';
import { createUnsettled } from './unsettled.ts';

/** How often expired responses are deleted, in milliseconds. */
const SWEEP_INTERVAL = 60_000;

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

/** `now` is in epoch milliseconds. */
export function createResponseStore(database: Database, now: () => number): ResponseStore {
  const { query } = database;
  const lease = createLease(database);
  const table = createClaimTable(database, lease, now);
  const unsettled = createUnsettled(store);
  let nextSweep = 0;

  function sweepIfDue(): void {
    const at = now();
    if (at < nextSweep) return;
    nextSweep = at + SWEEP_INTERVAL;
    // The next sweep deletes what this one could not.
    table.sweep().catch(() => undefined);
  }

  async function store(claim: Claim, outcome: Outcome): Promise<void> {
    try {
      await endClaim(query, claim, outcome, 'any');
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      // A response that cannot be stored is not kept.
      await endClaim(query, claim, 'omit', 'any');
    }
  }

  return {
    async claim(id, fingerprint, isAtomic) {
      sweepIfDue();
      await unsettled.settle(id);
      const claim = { id, token: randomUUID() };
      try {
        for (;;) {
          if (await table.insert(claim, fingerprint, isAtomic)) return lease.renewing(claim);
          const row = await table.find(id);
          // It was released meanwhile.
          if (!row) continue;
          if (!mayTake(row, fingerprint)) return firstOf(row);
          if (await table.take(claim, row, fingerprint, isAtomic)) return lease.renewing(claim);
          return { fingerprint: row.fingerprint, isUnderWay: true };
        }
      } catch (error) {
        if (error instanceof StoreUnavailable && !error.isUnsent) unsettled.addDoubtful(claim);
        throw error;
      }
    },
    end: (claim, outcome) => store(claim, outcome).catch(() => unsettled.add(claim, outcome)),
    endWith: endClaim,
    leave: (claim) => lease.stopRenewing(claim),
    close() {
      lease.close();
      return unsettled.close();
    },
  };
}

function mayTake(row: ClaimRow, fingerprint: string): boolean {
  if (row.isAlive) return false;
  if (row.isExpired) return true;
  return row.claimedUntil !== 0 && Boolean(row.isAtomic) && row.fingerprint === fingerprint;
}

function firstOf({ fingerprint, claimedUntil, isAlive, status, headers, body }: ClaimRow): FirstRequest {
  if (status === null) return { fingerprint, isUnderWay: claimedUntil !== 0 && Boolean(isAlive) };
  const kept = { status, headers: JSON.parse(headers) as KeptResponse['headers'] };
  const response = { ...kept, body: body === null ? undefined : Buffer.from(body) };
  return { fingerprint, isUnderWay: false, response };
}
