import { randomInt } from 'node:crypto';
import { POSTGRES_CLOCK as clock } from '../database/clock.ts';
import type { Database } from '../database/sql.ts';

/** How long a run has its job after its process renewed that, in milliseconds. */
export const LEASE = 10_000;

/** How a process shows the others that it runs a job: `leased_until` says until when. */
export interface JobLeases {
  /** Whether leases end if they are not renewed. */
  readonly end: boolean;
  /** SQL: the value of `leased_until`. */
  readonly until: string;
  /** SQL: whether the process of a run is gone. */
  readonly isLost: string;
  /** SQL: what skips a row that another transaction has changed. */
  readonly unlocked: string;
  /** SQL: what keeps other transactions from changing a row. */
  readonly locked: string;
}

export function createJobLeases({ engine }: Database): JobLeases {
  if (engine === 'postgres')
    return {
      end: true,
      until: `${clock} + ${LEASE}`,
      // A time further ahead was stored before the clock went back.
      isLost: `leased_until IS NOT NULL AND NOT (leased_until > ${clock} AND leased_until <= ${clock} + ${LEASE})`,
      unlocked: 'FOR UPDATE SKIP LOCKED',
      locked: 'FOR UPDATE',
    };
  // Only one process has an SQLite store: what another number runs is lost.
  const own = randomInt(2 ** 47);
  return {
    end: false,
    until: `${own}`,
    isLost: `leased_until IS NOT NULL AND leased_until <> ${own}`,
    unlocked: '',
    locked: '',
  };
}
