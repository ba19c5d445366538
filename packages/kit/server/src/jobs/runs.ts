import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import type { JobTable, TakenJob } from './job-table.ts';
import { LEASE } from './leases.ts';

/** How often runs renew their leases, in milliseconds. */
const RENEWAL = 2_000;
/** How long the end of a run waits for the database before it is tried again, in milliseconds. */
const PAUSE = 500;

/** The transaction of a run that has lost its job is rolled back. */
export class LostJob extends Error {
  constructor() {
    super('the run has lost its job: the transaction is rolled back');
  }
}

/** A job that this process runs. */
export interface Run {
  readonly job: TakenJob;
  readonly signal: AbortSignal;
  /** Rejects with the reason when `signal` aborts. */
  readonly aborted: Promise<never>;
  readonly isStopped: boolean;
  readonly isLost: boolean;
  abort(reason?: unknown): void;
  /** Says that another process may have the job. */
  lose(): void;
}

/** The runs of this process. */
export interface Runs {
  /** `startedAt` is `performance.now()` before the job was taken. */
  begin(job: TakenJob, startedAt: number): Run;
  /** Has `store` keep the outcome of a run, as soon as the database works, unless the run has lost its job. Never rejects. */
  end(run: Run, store: () => Promise<void>): Promise<void>;
  /** How many jobs of the name run. */
  countOf(name: string): number;
  /** Resolves when no job runs. */
  settled(): Promise<void>;
  /** Aborts all runs. They count as not begun. */
  stop(): void;
  close(): void;
}

interface Kept extends Run {
  isStopped: boolean;
  isLost: boolean;
  renewedAt: number;
  readonly over: PromiseWithResolvers;
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** `onError` is called with what keeps an outcome from being stored, besides the database. */
export function createRuns(table: JobTable, onError: (run: Run, error: unknown) => void): Runs {
  const running = new Set<Kept>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const startedAt = performance.now();
    // This process may have been stopped for a while.
    for (const run of running) if (startedAt - run.renewedAt > LEASE) run.lose();
    const asked = [...running].filter(({ isLost }) => !isLost);
    if (asked.length === 0) return;
    const kept = await table.renew(asked.map(({ job }) => job));
    for (const run of asked)
      if (kept.get(run.job.id) === run.job.token) run.renewedAt = startedAt;
      else run.lose();
  }

  return {
    begin(job, startedAt) {
      const run = createRun(job, startedAt);
      running.add(run);
      if (table.leasesEnd) timer ??= setInterval(() => void renew().catch(() => undefined), RENEWAL).unref();
      return run;
    },
    async end(run, store) {
      const kept = run as Kept;
      while (!kept.isLost && !isClosed)
        try {
          await store();
          break;
        } catch (error) {
          // Otherwise another process takes it over.
          if (!(error instanceof StoreUnavailable)) {
            onError(run, error);
            break;
          }
          await sleep(PAUSE, undefined, { ref: false });
        }
      running.delete(kept);
      kept.over.resolve();
    },
    countOf: (name) => [...running].filter(({ job }) => job.name === name).length,
    async settled() {
      while (running.size > 0) await Promise.all([...running].map(({ over }) => over.promise));
    },
    stop() {
      for (const run of running) {
        run.isStopped = true;
        run.abort();
      }
    },
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

function createRun(job: TakenJob, renewedAt: number): Kept {
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  // A run that ends first does not wait for it.
  aborted.catch(() => undefined);
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  const run: Kept = {
    job,
    signal,
    aborted,
    isStopped: false,
    isLost: false,
    renewedAt,
    over: { promise, resolve },
    abort: (reason) => controller.abort(reason),
    lose() {
      run.isLost = true;
      controller.abort();
    },
  };
  return run;
}
