import { trace as tracing } from '@opentelemetry/api';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Query } from '../database/sql.ts';
import type { AddOptions, DeclaredJobs, Jobs } from './job.ts';
import { createJobTable, type JobTable } from './job-table.ts';

/** Adds the jobs of a service. */
export interface JobAdder {
  readonly declared: DeclaredJobs;
  /** Undefined if the service has no jobs. */
  readonly table: JobTable | undefined;
  /** Adds jobs each in a transaction of its own. */
  readonly alone: Jobs<Record<string, unknown>>;
  /** Adds jobs in the transaction of `query`. */
  within(query: Query): Jobs<Record<string, unknown>> & { readonly hasAdded: boolean };
  /** Says that the transaction has committed. */
  wake(): void;
  /** Called when jobs were added. */
  onWake: () => void;
  /** Calls `work`, whose jobs get the id of its trace. */
  readonly traced: <Result>(traceId: string | undefined, work: () => Result) => Result;
}

/** `now` is in epoch milliseconds. */
export function createJobAdder(database: Database, declared: DeclaredJobs, now: () => number): JobAdder {
  const { query, transaction } = database;
  const table = declared.size > 0 ? createJobTable(database, [...declared.keys()], now) : undefined;
  const traces = new AsyncLocalStorage<string | undefined>();

  function add(inside: Query, name: string, payload: unknown, options: AddOptions = {}): Promise<string> {
    const found = declared.get(name);
    if (!found || !table) throw new Error(`the service has no job ${name}`);
    if (Number.isNaN(options.at?.getTime())) throw new RangeError('`at` of a job is no date');
    const text = JSON.stringify(payload) ?? 'null';
    found.job.parse(JSON.parse(text));
    const traceId = traces.getStore() ?? tracing.getActiveSpan()?.spanContext().traceId;
    return table.add(inside, { ...options, name, payload: text, traceId });
  }

  const adder: JobAdder = {
    declared,
    table,
    alone: {
      async add(name, payload, options) {
        const id = await (options?.queue === undefined
          ? add(query, name, payload, options)
          : transaction((inside) => add(inside, name, payload, options)));
        adder.wake();
        return id;
      },
    },
    within(inside) {
      const jobs = {
        hasAdded: false,
        async add(name: string, payload: unknown, options?: AddOptions) {
          jobs.hasAdded = true;
          return add(inside, name, payload, options);
        },
      };
      return jobs;
    },
    wake: () => adder.onWake(),
    onWake: () => undefined,
    traced: (traceId, work) => traces.run(traceId, work),
  };
  return adder;
}
