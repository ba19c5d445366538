import type { Engine } from '../database/migrations.ts';

/**
 * SQL: where the table was made. The ids of the database and the table change when a dump is restored, but may be the same
 * on another machine that was set up by the same script. The id of the transaction that inserted the row is not. All stay
 * on a standby, and after VACUUM and pg_upgrade.
 */
const postgresPlace = (transaction: string): string =>
  `concat((SELECT oid FROM pg_database WHERE datname = current_database()), '.',
     CAST(CAST('kit_jobs_place' AS regclass) AS oid), '.', ${transaction})`;

/** SQL about the row that says where the jobs were made: in a copy of the database they are held. */
export interface JobPlace {
  /** Whether jobs are held. */
  readonly isElsewhere: string;
  /** Says that jobs belong here, in an empty table. */
  readonly settle: string;
}

export function jobPlaceIn(engine: Engine): JobPlace {
  const isPostgres = engine === 'postgres';
  const here = isPostgres ? postgresPlace('xmin') : `'sqlite'`;
  const place = isPostgres ? postgresPlace('CAST(pg_current_xact_id() AS xid)') : `'sqlite'`;
  return {
    // Also without the row: a dump may be half restored.
    isElsewhere: `(SELECT coalesce(max(CASE WHEN place = ${here} THEN 0 ELSE 1 END), 1) = 1 FROM kit_jobs_place)`,
    settle: `INSERT INTO kit_jobs_place (place) VALUES (${place})`,
  };
}

/** Has an SQLite store hold its jobs, because it is a copy. */
export const HOLD_JOBS = `UPDATE kit_jobs_place SET place = ''`;
