import type { Database, Query } from '../database/sql.ts';

/** A job that is over, as far as its queue is concerned. */
interface Ended {
  readonly id: string;
  readonly token: string;
  readonly queue: string | null;
}

/** The order of a queue: its first job is not held, and the end of that one releases the next. */
export interface Queues {
  /** Waits for other transactions that change the queue, so that none of its jobs is held for ever. */
  lock(inside: Query, queue: string): Promise<void>;
  /** SQL: whether the queue `value` has a job. */
  hasFirst(value: string): string;
  /** Lets the next job of the queue run, unless it has a first one. */
  releaseNext(inside: Query, queue: string | null): Promise<void>;
  /** Runs `sql`, which ends a job by its id and token, and releases the next one of its queue. */
  end(inside: Query, job: Ended, sql: string, more?: readonly unknown[]): Promise<void>;
  /** `end`, without a transaction. */
  endAlone(job: Ended, sql: string, more?: readonly unknown[]): Promise<void>;
}

export function createQueues({ engine, query, transaction }: Database): Queues {
  const hasFirst = (value: string) =>
    `EXISTS (SELECT 1 FROM kit_jobs WHERE queue = ${value} AND died_at IS NULL AND NOT is_held)`;

  async function lock(inside: Query, queue: string): Promise<void> {
    // In SQLite only one transaction writes.
    if (engine === 'postgres')
      await inside('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`kit_jobs ${queue}`]);
  }

  async function releaseNext(inside: Query, queue: string | null): Promise<void> {
    if (queue === null) return;
    await inside(
      `UPDATE kit_jobs SET is_held = false
       WHERE NOT ${hasFirst('$1')} AND position = (SELECT min(position) FROM kit_jobs WHERE queue = $1 AND is_held)`,
      [queue],
    );
  }

  async function end(inside: Query, { id, token, queue }: Ended, sql: string, more: readonly unknown[] = []) {
    if (queue !== null) await lock(inside, queue);
    await inside(sql, [id, token, ...more]);
    await releaseNext(inside, queue);
  }

  return {
    lock,
    hasFirst,
    releaseNext,
    end,
    endAlone: (job, sql, more) =>
      job.queue === null ? end(query, job, sql, more) : transaction((inside) => end(inside, job, sql, more)),
  };
}
