import { createJobRunner, type JobRunner } from '../jobs/run-jobs.ts';
import { createSchedules } from '../jobs/schedules.ts';
import { servicesOf, type ServicesOptions } from '../services.ts';
import type { Start } from './prepare-start.ts';

/** What runs the jobs of a service; undefined if it has none. Its schedules tick from now on, but nothing runs until it starts. */
export async function prepareJobs(
  { log, metrics, runsJobs }: Start,
  work: ServicesOptions,
): Promise<JobRunner | undefined> {
  const { store, jobs } = work;
  const { declared, table, traced } = jobs;
  if (!table) return undefined;
  const names = [...declared.keys()];
  const failures = metrics.countJobFailures(names);
  metrics.observeJobs(names, () => table.count());
  const skips = metrics.countSkippedTicks(names.filter((name) => declared.get(name)?.ticks));
  const schedules = createSchedules({
    database: store.jobs,
    table,
    declared,
    now: work.now,
    onSkip(job, tick, reason) {
      skips.inc({ name: job });
      log.warn({ job, tick, reason }, 'a tick was skipped');
    },
  });
  if (runsJobs !== false) await schedules.register();
  const runner = createJobRunner({
    declared,
    table,
    schedules,
    log,
    traced,
    onFailure: (name) => failures.inc({ name }),
    contextOf(feature, { fields, ...run }, check) {
      const transactionOf =
        (ends: boolean): typeof store.transaction =>
        (work) =>
          store.jobTransaction(async (stores, query) => {
            const result = await work(stores, query);
            await check(query, ends);
            return result;
          });
      const servicesWith = (transaction: typeof store.transaction) =>
        servicesOf({ ...work, store: { ...store, transaction } }, feature);
      const services = servicesWith(transactionOf(false));
      const { transaction: finish } = servicesWith(transactionOf(true));
      return { ...services, ...run, finish, log: services.log.child(fields) };
    },
  });
  jobs.onWake = runner.wake;
  return runner;
}
