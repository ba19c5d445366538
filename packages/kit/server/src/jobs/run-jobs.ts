import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Query } from '../database/sql.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { type DeclaredJob, type DeclaredJobs, type JobRun } from './job.ts';
import type { JobTable, TakenJob } from './job-table.ts';
import { createRuns, LostJob, type Run } from './runs.ts';
import type { Schedules } from './schedules.ts';

/** How often jobs are looked for that other instances add, or whose process is gone; in milliseconds. */
const INTERVAL = 1_000;
const SWEEP_INTERVAL = 60 * 60_000;
/** How long a payload waits for an instance that can read it, in milliseconds. */
const UNREADABLE_PAUSE = 10_000;
/** What a timer can wait, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** How long a run may take to end after its signal aborted at a stop, in milliseconds. */
const LAST_MOMENT = 1_000;

export interface RunJobsOptions {
  readonly declared: DeclaredJobs;
  readonly table: JobTable;
  readonly schedules: Schedules;
  /**
   * The services of a feature for a run. Each transaction calls `check` before it commits, which rejects if the run has
   * lost its job; the one that `ends` the job says so.
   */
  readonly contextOf: (feature: string, run: RunParts, check: BeforeCommit) => JobRun;
  readonly traced: (traceId: string | undefined, work: () => unknown) => unknown;
  readonly log: Logger;
  readonly onFailure: (name: string) => void;
}

export type BeforeCommit = (query: Query, ends: boolean) => Promise<void>;

export interface RunParts extends Omit<JobRun, 'log'> {
  /** The fields of its log. */
  readonly fields: object;
}

export interface JobRunner {
  /** Runs jobs until `stop`. */
  start(): void;
  /** Looks for jobs at once. */
  readonly wake: () => void;
  /** Runs what is due, and what that adds, until nothing is. Resolves to the number of runs. */
  drain(): Promise<number>;
  /** Takes no more jobs, and gives those back that still run after `grace` milliseconds. */
  stop(grace: number): Promise<void>;
}

export function createJobRunner(options: RunJobsOptions): JobRunner {
  const { declared, table, schedules, log } = options;
  const runs = createRuns(table, (run, err) =>
    log.error({ ...fieldsOf(run.job), err }, 'the end of a job could not be stored'),
  );
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;
  const jobOf = (name: string) => declared.get(name) as DeclaredJob;
  let nextSweep = 0;
  let wakeUp = () => {};

  /** Waits for `wake`, the end of a run, or the time. */
  const change = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, INTERVAL);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Takes jobs over whose process is gone. */
  async function takeOver(): Promise<void> {
    const startedAt = performance.now();
    for (const job of await table.takeOver()) {
      const run = runs.begin(job, startedAt);
      const error = new Error('its process died, or lost the database');
      void runs.end(run, () => fail(run, error, 0)).then(() => wakeUp());
    }
    if (performance.now() < nextSweep) return;
    nextSweep = performance.now() + SWEEP_INTERVAL;
    await table.deleteOldDead();
  }

  /** Begins runs of due jobs. Resolves to their number. */
  async function take(): Promise<number> {
    let taken = 0;
    for (const [name, { job }] of declared) {
      const free = job.concurrency - runs.countOf(name);
      if (free <= 0 || stopping.signal.aborted) continue;
      const startedAt = performance.now();
      for (const job of await table.take(name, free)) {
        taken += 1;
        void perform(runs.begin(job, startedAt)).then(() => wakeUp());
      }
    }
    return taken;
  }

  async function work(): Promise<void> {
    let takenOverAt = -Infinity;
    while (!stopping.signal.aborted) {
      const changed = change();
      try {
        if (performance.now() - takenOverAt >= INTERVAL) {
          takenOverAt = performance.now();
          await takeOver();
          await schedules.tick();
        }
        if ((await take()) > 0) wakeUp();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) log.error({ err: error }, 'jobs could not be taken');
      }
      await changed;
    }
  }

  async function perform(run: Run): Promise<void> {
    const { feature, job } = jobOf(run.job.name);
    let payload: unknown;
    try {
      payload = job.parse(JSON.parse(run.job.payload));
    } catch (error) {
      log.warn({ ...fieldsOf(run.job), err: error }, 'the payload of a job cannot be read');
      return runs.end(run, () => table.giveBack(run.job, { pause: UNREADABLE_PAUSE }));
    }
    const expire = () => run.abort(new DOMException('it took too long', 'TimeoutError'));
    const timer = setTimeout(expire, Math.min(job.timeout, LONGEST_TIMER));
    const { id, attempt, traceId } = run.job;
    const parts = {
      id,
      attempt,
      traceId: traceId ?? undefined,
      signal: run.signal,
      fields: fieldsOf(run.job),
    };
    const check: BeforeCommit = async (query, ends) => {
      const isHeld = !run.signal.aborted && (await table.isHeld(query, run.job));
      if (isHeld) return ends ? table.finishIn(query, run.job) : undefined;
      if (!run.signal.aborted) run.lose();
      throw new LostJob();
    };
    try {
      const call = async () => job.run(payload, options.contextOf(feature, parts, check));
      await Promise.race([options.traced(parts.traceId, call), run.aborted]);
      await runs.end(run, () => table.finish(run.job));
    } catch (error) {
      if (run.isLost) log.warn({ ...fieldsOf(run.job), err: error }, 'a run has lost its job');
      await runs.end(run, () => (run.isStopped ? table.giveBack(run.job, {}) : fail(run, error)));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Has a job tried again, or buries it. */
  async function fail({ job }: Run, error: unknown, pause?: number): Promise<void> {
    const { attempts, backoff } = jobOf(job.name).job;
    const reason = error instanceof Error ? error.message : String(error);
    const isDead = job.attempt >= attempts;
    const wait = pause ?? backoff(job.attempt);
    if (isDead) await table.bury(job, reason);
    else await table.giveBack(job, { pause: wait, error: reason });
    options.onFailure(job.name);
    const fields = { ...fieldsOf(job), attempt: job.attempt, err: error };
    if (isDead) log.error(fields, 'a job is dead');
    else log.warn({ ...fields, runsAgainInMs: wait }, 'a job failed');
  }

  return {
    start: () => void (loop = work()),
    wake: () => wakeUp(),
    async drain() {
      let count = 0;
      await takeOver();
      await schedules.tick();
      for (;;) {
        await runs.settled();
        const taken = await take();
        if (taken === 0) return count;
        count += taken;
      }
    },
    async stop(grace) {
      stopping.abort();
      wakeUp();
      await Promise.race([Promise.all([loop, runs.settled()]), sleep(grace, undefined, { ref: false })]);
      runs.stop();
      await Promise.race([runs.settled(), sleep(LAST_MOMENT, undefined, { ref: false })]);
      runs.close();
    },
  };
}

const fieldsOf = ({ name, id, queue, traceId }: TakenJob) => ({
  job: name,
  jobId: id,
  ...(queue !== null && { queue }),
  ...(traceId !== null && { traceId }),
});
