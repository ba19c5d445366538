import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { commandsOf, newFolder, shared, startPostgres, until } from '@contract-kit/test-support/testing';
import { releaseFiles } from '../../src/database/sqlite/driver.ts';
import { declaredJobs } from '../../src/feature.ts';
import type { AddOptions } from '../../src/index.ts';
import { createJobAdder } from '../../src/jobs/job-adder.ts';
import { openStore } from '../../src/store/open-store.ts';
import { command as commandWithoutJobs } from '../library/service.ts';
import { remindingLibrary } from '../library/with-jobs.ts';
import { dumpOf, restoreDump } from '../support/dump.ts';

/* Jobs, as the operator sees them. */

const { service } = remindingLibrary({ run: () => undefined });
const command = commandsOf('library', [
  '--import',
  'tsx',
  path.join(import.meta.dirname, '../library/jobs-command.ts'),
]);

interface Shown {
  readonly id: string;
  readonly state: string;
}

async function tryJobs(env: Record<string, string>): Promise<void> {
  const dataDir = newFolder();
  const options = { dataDir, env };
  const server = await command.serve(options);
  const adding = async (book: number, how?: AddOptions) => {
    const store = await openStore(service, { dataDir, databaseUrl: env['DATABASE_URL'] });
    const { alone } = createJobAdder(store.jobs, declaredJobs(service), Date.now);
    return alone.add('remind', { book }, how).finally(() => store.close());
  };
  const json = <Value>(...args: string[]) => command.json<Value>(['jobs', ...args], options);
  const states = async () => (await json<Shown[]>('list')).map(({ id, state }) => [id, state]);

  const dead = await adding(1, { queue: 'q' });
  await until(async () => (await states())[0]?.[1] === 'dead');
  const at = new Date(Date.now() + 3_600_000);
  const later = await adding(2, { at, queue: 'q' });
  expect(await states()).toEqual([
    [dead, 'dead'],
    [later, 'waiting'],
  ]);
  const shown = { id: dead, name: 'remind', state: 'dead', attempt: 1, queue: 'q', lastError: 'no mail' };
  expect(await json('show', dead)).toEqual({
    ...shown,
    runAt: expect.any(String) as string,
    diedAt: expect.any(String) as string,
  });
  expect(await json('show', dead, '--payload')).toMatchObject({ ...shown, payload: { book: 1 } });

  // Behind the first one of its queue.
  await json('retry', dead);
  expect(await json('show', dead)).toMatchObject({ state: 'waiting', attempt: 0 });
  await json('retry', later);
  await until(async () => {
    const left = await states();
    return left.length === 1 && left[0]?.[1] === 'dead';
  });
  expect(server.output.stdout).toContain('"msg":"reminded"');
  await json('discard', dead, '--yes');
  expect(await states()).toEqual([]);
  expect((await command.run(['jobs', 'list'], options)).stdout).toBe('There are no jobs.\n');
  for (const verb of ['show', 'retry', 'discard'])
    expect(await command.run(['jobs', verb, 'none'], options)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no job none') as string,
    });
  await server.kill('SIGTERM');
  expect(server.output.stdout).not.toContain('"payload"');
}

test('on SQLite, jobs are listed, shown, retried and discarded', () => tryJobs({}));

/** Adds a job, makes a copy of the store by `copy`, and serves that. */
async function tryCopy(env: Record<string, string>, copy: (dataDir: string) => Promise<string | undefined>) {
  const dataDir = newFolder();
  const store = await openStore(service, { dataDir, databaseUrl: env['DATABASE_URL'] });
  await createJobAdder(store.jobs, declaredJobs(service), Date.now).alone.add('remind', { book: 2 });
  await store.close();
  await releaseFiles();
  const url = await copy(dataDir);
  const options = { dataDir, env: url === undefined ? {} : { DATABASE_URL: url } };
  const server = await command.serve(options);
  const warning = 'its jobs are held: run `library jobs resume` to let them run here';
  expect(server.output.stdout).toContain(warning);
  expect(await command.json(['jobs', 'list'], options)).toMatchObject([{ state: 'held', attempt: 0 }]);
  const { stdout } = await command.run(['jobs', 'list'], options);
  expect(stdout).toMatch(/\nHeld jobs wait for `library jobs resume`: the store is a copy\.\n$/);
  expect(await command.json(['jobs', 'resume'], options)).toEqual({ resumed: true, due: 1 });
  await until(() => server.output.stdout.includes('"msg":"reminded"'));
  expect((await command.run(['jobs', 'resume'], options)).stdout).toBe('Jobs are not held: 0 are due.\n');
  await server.kill('SIGTERM');
  const again = await command.serve(options);
  expect(again.output.stdout).not.toContain(warning);
  await again.kill('SIGTERM');
}

test('a restored store holds its jobs until `jobs resume`', () =>
  tryCopy({}, async (dataDir) => {
    const file = path.join(newFolder(), 'backup.db');
    await command.json(['backup', file], { dataDir });
    await command.json(['restore', file, '--yes'], { dataDir });
    return undefined;
  }));

test('on SQLite, `serve --no-jobs` is refused', async () => {
  const refused = await command.run(['serve', '--no-jobs'], { dataDir: newFolder() });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^library: --no-jobs needs PostgreSQL: /) as string,
  });
});

test('a service without jobs has no commands for them', async () => {
  const { stdout } = await commandWithoutJobs.run(['--help'], { dataDir: newFolder() });
  expect(stdout).not.toMatch(/^ +jobs/m);
});

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);
  test('on PostgreSQL, jobs are listed, shown, retried and discarded', async () =>
    tryJobs({ DATABASE_URL: await postgres.createDatabase() }));

  test('a restored dump holds its jobs until `jobs resume`', async () => {
    const url = await postgres.createDatabase();
    await tryCopy({ DATABASE_URL: url }, async () => {
      const copied = await postgres.createDatabase();
      await restoreDump(await dumpOf(url), copied);
      return copied;
    });
  });

  test('with `serve --no-jobs` an instance leaves the jobs to others', async () => {
    const env = { DATABASE_URL: await postgres.createDatabase() };
    const api = await command.serve({ dataDir: newFolder(), env }, ['--no-jobs']);
    const store = await openStore(service, { dataDir: newFolder(), databaseUrl: env.DATABASE_URL });
    await createJobAdder(store.jobs, declaredJobs(service), Date.now).alone.add('remind', { book: 2 });
    const worker = await command.serve({ dataDir: newFolder(), env });
    await until(() => worker.output.stdout.includes('"msg":"reminded"'));
    expect(api.output.stdout).not.toContain('reminded');
    await store.close();
    for (const { kill } of [api, worker]) await kill('SIGTERM');
  });
});
