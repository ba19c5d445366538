import type { Logger } from 'pino';
import { createTicks, type Schedule, type Ticks } from './ticks.ts';

/** A job of a feature, in its definition. */
export interface JobDefinition<Payload, Context> {
  /**
   * Checks a payload as JSON gives it, and throws if it is wrong: when it is added, and again before it runs. A version of
   * the service that cannot read a payload leaves the job to others. `recordCheck` makes one of a schema of the contract.
   */
  readonly parse: (value: unknown) => Payload;
  /**
   * Does the work, at least once: the process may die after it. It is tried again if it rejects. Its `transaction` commits
   * only while this run has the job.
   */
  readonly run: (payload: Payload, context: Context) => Promise<unknown> | undefined | void;
  /** How often it may run before it is dead, deaths of its process included; by default 20. */
  readonly attempts?: number;
  /** How long it waits after the attempt that failed, in milliseconds; by default 5 s, then twice as long, up to an hour. */
  readonly backoff?: (attempt: number) => number;
  /** How long a run may last, in milliseconds; by default 60 s. Then its signal aborts, and it has failed. */
  readonly timeout?: number;
  /** How many of them one instance runs at the same time; by default 5. */
  readonly concurrency?: number;
  /**
   * Runs it at the times of a cron, such as `0 2 * * *`, in UTC or in the time zone of a Schedule: once in all instances.
   * Then `parse` is `parseTick`, or another one that takes `{ at }`. A tick is skipped if the job of the last one waits,
   * runs or will be tried again.
   */
  readonly every?: string | Schedule;
}

/** What a run of a job gets besides the services of its feature. */
export interface JobRun {
  /** The same in each attempt: by it the receiver of a request knows a repeat. */
  readonly id: string;
  /** 1 for the first. */
  readonly attempt: number;
  /**
   * Aborts when the run has lost its job: after `timeout`, at the end of the grace period of a stop, and within 10 s of
   * losing the database.
   */
  readonly signal: AbortSignal;
  /** The log of the feature with `job`, `jobId`, and `traceId` if there is a trace. It never has the payload. */
  readonly log: Logger;
  /** The id of the trace of the request or job that added it. */
  readonly traceId: string | undefined;
}

export interface AddOptions {
  /** Not before this time. */
  readonly at?: Date;
  /** Of the jobs with this name and this value only one waits: this one is not added if there is one. */
  readonly unique?: string;
  /** Jobs of one queue run one at a time, in the order in which they were added. */
  readonly queue?: string;
}

/** The jobs of a service, by their names, with their payloads. */
export interface Jobs<Payloads extends object> {
  /**
   * Adds a job, and resolves to its id, or to that of the one that waits with the same `unique` value. Throws if `parse`
   * does, and StoreUnavailable. In a transaction use the `jobs` that its work gets: then it is added if that commits.
   */
  add<Name extends keyof Payloads & string>(
    name: Name,
    payload: Payloads[Name],
    options?: AddOptions,
  ): Promise<string>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- `run` takes the payload that `parse` returns: no other type admits every job, and `Job` checks both where it is written.
export type AnyJob = JobDefinition<any, any>;

/** A job with its defaults, and the feature that has it. */
export interface DeclaredJob {
  readonly feature: string;
  readonly job: ReturnType<typeof withDefaults>;
  /** When it runs by itself. */
  readonly ticks: Ticks | undefined;
}
export type DeclaredJobs = ReadonlyMap<string, DeclaredJob>;

const HOUR = 60 * 60_000;

/** Throws if the schedule of the job is wrong. */
export function declareJob(feature: string, name: string, job: AnyJob): DeclaredJob {
  try {
    const ticks = job.every === undefined ? undefined : createTicks(job.every);
    if (ticks) job.parse({ at: new Date(ticks.after(Date.now())).toISOString() });
    return { feature, job: withDefaults(job), ticks };
  } catch (error) {
    throw new Error(`the job ${name} has a wrong schedule: ${(error as Error).message}`, { cause: error });
  }
}

/** `job` with the defaults. */
const withDefaults = (job: AnyJob) => ({
  attempts: 20,
  backoff: (attempt: number) => Math.min(5_000 * 2 ** (attempt - 1), HOUR),
  timeout: 60_000,
  concurrency: 5,
  ...job,
});
