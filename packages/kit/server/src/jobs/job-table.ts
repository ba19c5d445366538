import { randomUUID } from 'node:crypto';
import { createSqlClock } from '../database/clock.ts';
import { ConstraintError } from '../database/constraint-error.ts';
import type { Engine } from '../database/migrations.ts';
import type { Database, Query } from '../database/sql.ts';
import type { AddOptions } from './job.ts';
import { createJobLeases } from './leases.ts';
import { jobPlaceIn } from './place.ts';
import { createQueues } from './queues.ts';

/** How many lost jobs are taken over at once. */
const RECOVERED_AT_ONCE = 100;
/** How long a dead job is kept, in milliseconds. */
const DEAD_FOR = 30 * 24 * 60 * 60_000;
/** The most characters of an error that are kept. */
const MOST_OF_ERROR = 1_000;

/** SQL: whether a job waits to be run. */
export const WAITS = 'leased_until IS NULL AND died_at IS NULL';
/** SQL: the state of a job. */
export const stateIn = (engine: Engine): string =>
  `CASE WHEN died_at IS NOT NULL THEN 'dead' WHEN leased_until IS NOT NULL THEN 'running'
     WHEN ${jobPlaceIn(engine).isElsewhere} THEN 'held' ELSE 'waiting' END`;
const IS_MINE = 'id = $1 AND token = $2';
const DELETE = `DELETE FROM kit_jobs WHERE ${IS_MINE}`;
const TAKEN = `id, token, name, payload, queue, unique_value AS "unique", trace_id AS "traceId", attempt`;

/** A held one waits until an operator says that a copy of the database may run jobs. */
export type JobState = 'waiting' | 'held' | 'running' | 'dead';

export interface NewJob extends AddOptions {
  readonly name: string;
  /** JSON. */
  readonly payload: string;
  readonly traceId: string | undefined;
}

/** A job that a run has, unless another one has taken it over. */
export interface TakenJob {
  readonly id: string;
  readonly token: string;
  readonly name: string;
  readonly payload: string;
  readonly queue: string | null;
  readonly unique: string | null;
  readonly traceId: string | null;
  readonly attempt: number;
}

export interface JobCount {
  readonly name: string;
  readonly state: JobState;
  readonly count: number;
  /** How long the oldest one that could run waits, in milliseconds. */
  readonly oldest: number | null;
}

/** How a run gives its job back. */
export interface Returned {
  /** How long it waits, in milliseconds; undefined if that does not change. */
  readonly pause?: number;
  /** Why the attempt failed; undefined if it does not count. */
  readonly error?: string;
}

/** What a service runs jobs with. All reject as `query` of the database does. */
export type JobTable = ReturnType<typeof createJobTable>;

/** `names` are those of the jobs that this program knows, `now` is in epoch milliseconds. */
export function createJobTable(database: Database, names: readonly string[], now: () => number) {
  const { query } = database;
  const { time, timeIn } = createSqlClock(database, now);
  const leases = createJobLeases(database);
  const queues = createQueues(database);
  const { isElsewhere } = jobPlaceIn(database.engine);

  async function isHeld(inside: Query, { id, token }: TakenJob): Promise<boolean> {
    const sql = `SELECT id FROM kit_jobs WHERE ${IS_MINE} ${leases.locked}`;
    return (await inside(sql, [id, token])).length > 0;
  }

  /** Makes `job` wait, unless another one with its `unique` value does: that one goes on with its attempts. */
  async function giveBack(inside: Query, job: TakenJob, { pause, error }: Returned): Promise<void> {
    const attempt = error === undefined ? job.attempt - 1 : job.attempt;
    if (job.unique !== null) {
      if (!(await isHeld(inside, job))) return;
      const others = await inside(
        `UPDATE kit_jobs SET attempt = CASE WHEN attempt < $3 THEN $3 ELSE attempt END
         WHERE name = $1 AND unique_value = $2 AND ${WAITS} RETURNING id`,
        [job.name, job.unique, attempt],
      );
      if (others.length > 0) return queues.end(inside, job, DELETE);
    }
    await inside(
      `UPDATE kit_jobs SET token = NULL, leased_until = NULL, attempt = $3, last_error = coalesce($4, last_error),
         run_at = coalesce(${timeIn('$5')} + CAST($6 AS bigint), run_at)
       WHERE ${IS_MINE}`,
      [job.id, job.token, attempt, error?.slice(0, MOST_OF_ERROR) ?? null, time(), pause ?? null],
    );
  }

  return {
    /** Whether a job is lost unless `renew` is called. */
    leasesEnd: leases.end,

    /** Adds a job by `inside`, in a transaction if it has a queue. Resolves to its id. */
    async add(inside: Query, { name, payload, at, unique, queue, traceId }: NewJob): Promise<string> {
      if (queue !== undefined) await queues.lock(inside, queue);
      // The update locks the job that waits, so that no run begins before this transaction has ended.
      const [row] = await inside<{ id: string }>(
        `INSERT INTO kit_jobs (id, name, payload, queue, is_held, unique_value, trace_id, run_at)
         SELECT CAST($1 AS text), $2, $3, CAST($4 AS text), ${queues.hasFirst('$4')}, $5, $6,
           coalesce(CAST($7 AS bigint), ${timeIn('$8')})
         WHERE true
         ON CONFLICT (name, unique_value) WHERE unique_value IS NOT NULL AND ${WAITS}
         DO UPDATE SET unique_value = excluded.unique_value RETURNING id`,
        [
          randomUUID(),
          name,
          payload,
          queue ?? null,
          unique ?? null,
          traceId ?? null,
          at?.getTime() ?? null,
          time(),
        ],
      );
      return row?.id ?? '';
    },

    /** Whether the database is a copy, whose jobs no instance takes until an operator says so. */
    async areHeld(): Promise<boolean> {
      const [row] = await query<{ held: unknown }>(`SELECT ${isElsewhere} AS held`);
      return Boolean(row?.held);
    },

    /** Begins at most `most` runs of due jobs, unless they are held. */
    take(name: string, most: number): Promise<TakenJob[]> {
      return query<TakenJob>(
        `WITH due AS MATERIALIZED (
           SELECT position FROM kit_jobs WHERE name = $1 AND ${WAITS} AND NOT is_held AND run_at <= ${timeIn('$2')}
             AND NOT ${isElsewhere}
           ORDER BY run_at, position LIMIT $3 ${leases.unlocked})
         UPDATE kit_jobs SET token = $4, leased_until = ${leases.until}, attempt = attempt + 1
         WHERE position IN (SELECT position FROM due) RETURNING ${TAKEN}`,
        [name, time(), most, randomUUID()],
      );
    },

    /** Takes jobs over whose process is gone. Their attempt goes on. */
    takeOver(): Promise<TakenJob[]> {
      const known = names.map((_, index) => `$${index + 2}`).join(', ');
      return query<TakenJob>(
        `WITH lost AS MATERIALIZED (
           SELECT position FROM kit_jobs WHERE ${leases.isLost} AND name IN (${known})
           LIMIT ${RECOVERED_AT_ONCE} ${leases.unlocked})
         UPDATE kit_jobs SET token = $1, leased_until = ${leases.until}
         WHERE position IN (SELECT position FROM lost) RETURNING ${TAKEN}`,
        [randomUUID(), ...names],
      );
    },

    /** Resolves to the tokens of their jobs, by id. In PostgreSQL only. */
    async renew(jobs: readonly TakenJob[]): Promise<Map<string, string>> {
      const rows = await query<{ id: string; token: string }>(
        `UPDATE kit_jobs SET leased_until = ${leases.until} WHERE id = ANY ($1) AND token = ANY ($2) RETURNING id, token`,
        [jobs.map(({ id }) => id), jobs.map(({ token }) => token)],
      );
      return new Map(rows.map(({ id, token }) => [id, token]));
    },

    /** Whether a run has its job still, until the transaction of `inside` ends. */
    isHeld,

    /** Deletes a job that is done. */
    finish: (job: TakenJob): Promise<void> => queues.endAlone(job, DELETE),

    /** `finish`, in the transaction of `inside`. */
    finishIn: (inside: Query, job: TakenJob): Promise<void> => queues.end(inside, job, DELETE),

    bury: (job: TakenJob, error: string): Promise<void> =>
      queues.endAlone(
        job,
        `UPDATE kit_jobs SET token = NULL, leased_until = NULL, last_error = $3, died_at = ${timeIn('$4')} WHERE ${IS_MINE}`,
        [error.slice(0, MOST_OF_ERROR), time()],
      ),

    async giveBack(job: TakenJob, returned: Returned): Promise<void> {
      if (job.unique === null) return giveBack(query, job, returned);
      for (;;)
        try {
          return await database.transaction((inside) => giveBack(inside, job, returned));
        } catch (error) {
          // Another one with its `unique` value was added meanwhile.
          if (!(error instanceof ConstraintError)) throw error;
        }
    },

    async deleteOldDead(): Promise<void> {
      await query(`DELETE FROM kit_jobs WHERE died_at <= ${timeIn('$1')} - ${DEAD_FOR} RETURNING id`, [
        time(),
      ]);
    },

    count(): Promise<JobCount[]> {
      return query<JobCount>(
        `SELECT name, state, count(*) AS count,
           max(CASE WHEN state = 'waiting' AND age >= 0 THEN age END) AS oldest FROM (
           SELECT name, ${stateIn(database.engine)} AS state, ${timeIn('$1')} - run_at AS age FROM kit_jobs) AS job
         GROUP BY name, state`,
        [time()],
      );
    },
  };
}
