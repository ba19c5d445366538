import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres } from '@contract-kit/test-support/testing';
import { releaseFiles } from '../../src/database/sqlite/driver.ts';
import { createJobRecords } from '../../src/jobs/job-records.ts';
import { backUp } from '../../src/store/transfer/backup.ts';
import { migrateData } from '../../src/store/transfer/migrate-data.ts';
import { restore } from '../../src/store/transfer/restore.ts';
import { dumpOf, restoreDump } from '../support/dump.ts';
import { libraryWith } from '../support/jobs.ts';

/* A copy of a service sends nothing, until an operator says so. */

const { service, start } = libraryWith({ run: () => undefined });
const NOTE = 'the store is a copy, and its jobs are held: run `library jobs resume` to let them run here';
const progress = { start() {}, update() {} };

type Where = NonNullable<Parameters<typeof start>[0]>;
const at = (url: string): Where => ({ env: { DATABASE_URL: url } });

/** Starts a service, has it add a job, and stops it. */
async function addJob(where: Where): Promise<void> {
  const started = await start(where);
  await started.given.jobs.add('remind', { book: 1 });
  await started.stop();
}

/** How many runs the service at `where` begins, and how often it says that jobs are held. */
async function runsAt(where: Where): Promise<[number, number]> {
  const started = await start(where);
  const runs = await started.jobs.drain();
  await started.stop();
  return [runs, started.messages(NOTE).length];
}

/** Has the service at `where`, which holds `held` jobs, add one more and run them when it is resumed. */
async function expectHeld(where: Where, held: number): Promise<void> {
  const { given, jobs, messages, request, store, stop } = await start(where);
  expect(messages(NOTE)).toHaveLength(1);
  await given.jobs.add('remind', { book: 2 });
  expect(await jobs.drain()).toBe(0);
  const metrics = await (await request('/metrics')).text();
  expect(metrics).toContain(`library_jobs{name="remind",state="held"} ${held + 1}`);
  expect(metrics).toContain('library_jobs{name="remind",state="waiting"} 0');
  const records = createJobRecords(store.jobs);
  expect(await records.resume()).toEqual({ resumed: true, due: held + 1 });
  expect(await jobs.drain()).toBe(held + 1);
  expect(await records.resume()).toEqual({ resumed: false, due: 0 });
  await stop();
  expect(await runsAt(where)).toEqual([0, 0]);
}

/** Backs up the store in `dataDir`. Resolves to what `restore` takes. */
async function backUpOf(dataDir: string) {
  const options = { service, dataDir, file: path.join(newFolder(), 'backup.db'), progress };
  await backUp({ ...options, force: false });
  await releaseFiles();
  return { ...options, onWarning: () => undefined };
}

test('a restored store holds its jobs, and one that is only restarted does not', async () => {
  const dataDir = newFolder();
  await addJob({ dataDir });
  const options = await backUpOf(dataDir);
  expect(await runsAt({ dataDir })).toEqual([1, 0]);
  await restore(options);
  await expectHeld({ dataDir }, 1);
  await restore(options);
  await expectHeld({ dataDir }, 1);
});

describeWith(['PostgreSQL'], 'jobs in copies of PostgreSQL', () => {
  const postgres = shared(startPostgres);

  test('a restored dump holds its jobs, and they run where it was made', async () => {
    const url = await postgres.createDatabase();
    await addJob(at(url));
    const dump = await dumpOf(url);
    const copied = await postgres.createDatabase();
    await restoreDump(dump, copied);
    await postgres.run('VACUUM (FULL, FREEZE)', url);
    expect(await runsAt(at(url))).toEqual([1, 0]);
    await expectHeld(at(copied), 1);
    const again = await postgres.createDatabase();
    await restoreDump(await dumpOf(copied), again);
    await expectHeld(at(again), 0);
    await restoreDump(dump, url, '--clean', '--if-exists', '--single-transaction');
    await expectHeld(at(url), 1);
  });

  test('a job that ran when the dump was made is held', async () => {
    const url = await postgres.createDatabase();
    await addJob(at(url));
    await postgres.run(`UPDATE kit_jobs SET token = 'other', leased_until = 0, attempt = 1`, url);
    const copied = await postgres.createDatabase();
    await restoreDump(await dumpOf(url), copied);
    await expectHeld(at(copied), 1);
  });

  test('a restored dump holds its jobs if the database and the table have the same ids there', async () => {
    const url = await postgres.createDatabase();
    await addJob(at(url));
    // As on another machine that was set up by the same script.
    await postgres.run('CREATE TABLE dumped AS TABLE kit_jobs_place', url);
    await postgres.run('DELETE FROM kit_jobs_place', url);
    await postgres.run('INSERT INTO kit_jobs_place TABLE dumped', url);
    await expectHeld(at(url), 1);
  });

  test('a database that was made from another one holds its jobs', async () => {
    const url = await postgres.createDatabase();
    await addJob(at(url));
    const copied = new URL(url);
    copied.pathname += '_copy';
    const [original, copy] = [url, copied.href].map((href) => new URL(href).pathname.slice(1));
    await postgres.run(`CREATE DATABASE "${copy}" TEMPLATE "${original}"`);
    await expectHeld(at(copied.href), 1);
  });

  test('`migrate-data` holds the jobs there', async () => {
    const from = newFolder();
    await addJob({ dataDir: from });
    const url = await postgres.createDatabase();
    await migrateData({ service, from, databaseUrl: url, progress });
    await expectHeld(at(url), 1);
    expect(await runsAt({ dataDir: from })).toEqual([1, 0]);
  });
});
