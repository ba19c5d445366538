import type { Database } from './sql.ts';

/** SQL: the time in epoch milliseconds, by the clock of PostgreSQL. */
export const POSTGRES_CLOCK = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)';

/** The time in statements: instances share the clock of PostgreSQL. A test has its own. */
export interface SqlClock {
  /** The value of the placeholder. */
  readonly time: () => number | null;
  /** SQL: the time in epoch milliseconds. `value` is the placeholder. */
  readonly timeIn: (value: string) => string;
}

/** `now` is in epoch milliseconds. */
export function createSqlClock({ engine }: Database, now: () => number): SqlClock {
  const isShared = engine === 'postgres' && now === Date.now;
  return {
    time: () => (isShared ? null : now()),
    timeIn: (value) =>
      isShared ? `coalesce(CAST(${value} AS bigint), ${POSTGRES_CLOCK})` : `CAST(${value} AS bigint)`,
  };
}
