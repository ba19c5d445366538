import { createSqlClock } from '../database/clock.ts';
import type { Database } from '../database/sql.ts';
import { stateIn, WAITS, type JobState } from './job-table.ts';
import { jobPlaceIn } from './place.ts';
import { createQueues } from './queues.ts';

/** The most jobs that are listed. */
const MOST = 1_000;

/** A job as operators see it. Times are in epoch milliseconds. */
export interface JobRecord {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly queue: string | null;
  readonly unique: string | null;
  /** The number of runs that began. */
  readonly attempt: number;
  readonly runAt: number;
  readonly diedAt: number | null;
  readonly lastError: string | null;
  /** JSON. */
  readonly payload: string;
}

/** What operators do with jobs. All reject as `query` of the database does. */
export interface JobRecords {
  /** At most 1,000: those that are dead, then those that run, then the others, the earliest first. */
  list(): Promise<JobRecord[]>;
  find(id: string): Promise<JobRecord | undefined>;
  /**
   * Has a job that is dead or waits run at once, with all of its attempts. In its queue it waits for the one that is first.
   * Resolves to false if it runs or is gone. Rejects with a ConstraintError if another one with its `unique` value waits.
   */
  retry(id: string): Promise<boolean>;
  /** Deletes a job; a run of it has lost it. Resolves to false if it is gone. */
  discard(id: string): Promise<boolean>;
  /** Lets jobs of a copy run. Resolves to whether they were held, and to how many are due. */
  resume(): Promise<Resumed>;
}

export interface Resumed {
  readonly resumed: boolean;
  readonly due: number;
}

export function createJobRecords(database: Database): JobRecords {
  const { engine, query, transaction } = database;
  const record = `SELECT id, name, ${stateIn(engine)} AS state, queue, unique_value AS "unique", attempt, run_at AS "runAt",
    died_at AS "diedAt", last_error AS "lastError", payload FROM kit_jobs`;
  const { time, timeIn } = createSqlClock(database, Date.now);
  const queues = createQueues(database);
  const find = async (id: string) => (await query<JobRecord>(`${record} WHERE id = $1`, [id]))[0];

  return {
    list: () =>
      query<JobRecord>(
        `${record} ORDER BY died_at IS NULL, leased_until IS NULL, run_at, position LIMIT ${MOST}`,
      ),
    find,
    async retry(id) {
      const job = await find(id);
      if (!job) return false;
      return transaction(async (inside) => {
        if (job.queue !== null) await queues.lock(inside, job.queue);
        const changed = await inside(
          `UPDATE kit_jobs SET attempt = 0, run_at = ${timeIn('$3')}, died_at = NULL,
             is_held = CASE WHEN died_at IS NULL THEN is_held ELSE ${queues.hasFirst('$2')} END
           WHERE id = $1 AND leased_until IS NULL RETURNING id`,
          [id, job.queue, time()],
        );
        return changed.length > 0;
      });
    },
    async discard(id) {
      const job = await find(id);
      if (!job) return false;
      return transaction(async (inside) => {
        if (job.queue !== null) await queues.lock(inside, job.queue);
        const deleted = await inside('DELETE FROM kit_jobs WHERE id = $1 RETURNING id', [id]);
        await queues.releaseNext(inside, job.queue);
        return deleted.length > 0;
      });
    },
    resume() {
      const { isElsewhere, settle } = jobPlaceIn(engine);
      return transaction(async (inside) => {
        const [found] = await inside<{ held: unknown; due: number }>(
          `SELECT ${isElsewhere} AS held, count(*) AS due FROM kit_jobs
           WHERE ${WAITS} AND run_at <= ${timeIn('$1')}`,
          [time()],
        );
        const resumed = Boolean(found?.held);
        if (resumed) {
          await inside('DELETE FROM kit_jobs_place');
          await inside(settle);
        }
        return { resumed, due: found?.due ?? 0 };
      });
    },
  };
}
