import type { Command } from 'commander';
import { ConstraintError } from '../database/constraint-error.ts';
import { declaredJobs, type ServiceDefinition } from '../feature.ts';
import { createJobRecords, type JobRecord, type JobRecords } from '../jobs/job-records.ts';
import { OperatorError } from '../operator-error.ts';
import { confirm, confirming, type Confirmed } from './confirm.ts';
import { addPrintingCommand, print, table, type Output } from './output.ts';
import type { OpenStore } from './with-store.ts';

/** Adds the commands about jobs, if the service has any. */
export function addJobCommands(program: Command, service: ServiceDefinition, withStore: OpenStore): void {
  if (declaredJobs(service).size === 0) return;
  const jobs = program.command('jobs').description('list, show, retry, discard and resume jobs');
  const withJobs = <Result>(work: (records: JobRecords) => Promise<Result>) =>
    withStore((store) => work(createJobRecords(store.jobs)));

  addPrintingCommand(
    jobs,
    'list',
    'list at most 1,000 jobs: dead ones, then running ones, then waiting ones',
  ).action(async (options: Output) => {
    const records = (await withJobs((jobs) => jobs.list())).map((record) => shown(record));
    const rows = records.map(({ id, name, state, queue, attempt, runAt }) => [
      id,
      name,
      state,
      queue ?? '-',
      `${attempt}`,
      runAt,
    ]);
    const head = ['ID', 'JOB', 'STATE', 'QUEUE', 'ATTEMPT', 'RUN AT'];
    const listed = rows.length === 0 ? 'There are no jobs.' : table(head, rows);
    const isHeld = records.some(({ state }) => state === 'held');
    print(options, records, isHeld ? `${listed}\n${heldNote(service)}` : listed);
  });

  addPrintingCommand(jobs, 'show', 'show a job')
    .argument('<id>', 'the id of the job')
    .option('--payload', 'show its payload too, which may have personal data')
    .action(async (id: string, options: Output & { payload?: boolean }) => {
      const found = await withJobs((jobs) => jobs.find(id));
      if (!found) throw noSuchJob(id);
      const value = shown(found, options.payload);
      const textOf = (field: unknown) => (typeof field === 'string' ? field : JSON.stringify(field));
      const rows = Object.entries(value).map(([name, field]) => [name, textOf(field)]);
      print(options, value, table(['FIELD', 'VALUE'], rows));
    });

  addPrintingCommand(jobs, 'retry', 'run a dead or waiting job at once, with all of its attempts')
    .argument('<id>', 'the id of the job')
    .action(async (id: string, options: Output) => {
      const isDone = await withJobs((jobs) => jobs.retry(id)).catch((error: unknown) => {
        if (!(error instanceof ConstraintError)) throw error;
        throw new OperatorError(
          `another job with the unique value of ${id} waits already: discard one of them`,
        );
      });
      if (!isDone) throw noSuchJob(id, ', or it runs');
      print(options, { id, retried: true }, `${id} runs within a second, unless jobs are held.`);
    });

  confirming(addPrintingCommand(jobs, 'discard', 'delete a job for good, also while it runs'))
    .argument('<id>', 'the id of the job')
    .action(async (id: string, options: Output & Confirmed) => {
      await confirm(options, `Delete the job ${id} for good?`);
      if (!(await withJobs((jobs) => jobs.discard(id)))) throw noSuchJob(id);
      print(options, { id, discarded: true }, `${id} is deleted.`);
    });

  addPrintingCommand(
    jobs,
    'resume',
    'let jobs run in a restored or copied store, where they are held',
  ).action(async (options: Output) => {
    const outcome = await withJobs((jobs) => jobs.resume());
    const { resumed, due } = outcome;
    const first = resumed ? 'Jobs are held no more' : 'Jobs are not held';
    print(options, outcome, `${first}: ${due} ${due === 1 ? 'is' : 'are'} due.`);
  });
}

const heldNote = ({ contract }: ServiceDefinition) =>
  `Held jobs wait for \`${contract.name} jobs resume\`: the store is a copy.`;
const noSuchJob = (id: string, more = '') => new OperatorError(`there is no job ${id}${more}`);
const timeOf = (time: number) => new Date(time).toISOString();

/** A job without what it lacks, and with its payload if that is wanted. */
function shown({ runAt, diedAt, payload, ...record }: JobRecord, showsPayload = false) {
  const { queue, unique, lastError, ...rest } = record;
  return {
    ...rest,
    runAt: timeOf(runAt),
    ...(queue !== null && { queue }),
    ...(unique !== null && { unique }),
    ...(lastError !== null && { lastError }),
    ...(diedAt !== null && { diedAt: timeOf(diedAt) }),
    ...(showsPayload && { payload: JSON.parse(payload) as unknown }),
  };
}
