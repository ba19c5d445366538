import { POSTGRES_CLOCK as clock } from '../database/clock.ts';
import type { Database } from '../database/sql.ts';
import type { Claim } from './claim.ts';

/** How long a claim counts after its process renewed it, in milliseconds. Another process may take an atomic one over. */
const ATOMIC_LEASE = 10_000;
const LEASE = 60_000;
/** How often it is renewed, in milliseconds. */
const RENEWAL = 2_000;

/** How a process shows the others that it is at work on a request: the claim says until when. */
export interface Lease {
  /** SQL: the value of `claimed_until`. */
  until(isAtomic: boolean): string;
  /** SQL: whether another process is at work. */
  readonly isAlive: string;
  /** SQL: skips a row that a transaction has changed, which is not over. Otherwise it would hold up a repeat. */
  readonly unlocked: string;
  /** Renews `claim` from now on. Returns it. */
  renewing(claim: Claim): Claim;
  stopRenewing(claim: Claim): void;
  close(): void;
}

export function createLease({ engine, query }: Database): Lease {
  // Only one process has an SQLite store.
  if (engine === 'sqlite')
    return {
      until: () => '1',
      isAlive: 'false',
      unlocked: '',
      renewing: (claim) => claim,
      stopRenewing: () => undefined,
      close: () => undefined,
    };

  const unlocked = 'FOR UPDATE SKIP LOCKED';
  /** With `performance.now()` when it was made. */
  const claims = new Map<Claim, number>();
  let timer: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const since = performance.now() - RENEWAL;
    const lasting = [...claims].flatMap(([claim, madeAt]) => (madeAt <= since ? [claim] : []));
    if (lasting.length === 0) return;
    await query(
      `UPDATE idempotency_keys SET claimed_until = ${clock} + CASE WHEN is_atomic THEN ${ATOMIC_LEASE} ELSE ${LEASE} END
       WHERE id IN (SELECT id FROM idempotency_keys
                    WHERE id = ANY ($1) AND token = ANY ($2) AND claimed_until > 0 ${unlocked})`,
      [lasting.map(({ id }) => id), lasting.map(({ token }) => token)],
    );
  }

  return {
    until: (isAtomic) => `${clock} + ${isAtomic ? ATOMIC_LEASE : LEASE}`,
    // A time further ahead was stored before the clock went back.
    isAlive: `(claimed_until > ${clock} AND claimed_until <= ${clock} + ${LEASE})`,
    unlocked,
    renewing(claim) {
      claims.set(claim, performance.now());
      timer ??= setInterval(() => void renew().catch(() => undefined), RENEWAL).unref();
      return claim;
    },
    stopRenewing: (claim) => void claims.delete(claim),
    close: () => clearInterval(timer),
  };
}
