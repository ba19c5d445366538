import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@contract-kit/test-support';
import {
  newFolder,
  originOf,
  startPostgres,
  startProcess,
  startRelay,
  stopAtEnd,
  until,
} from '@contract-kit/test-support/testing';
import { declaredJobs } from '../../src/feature.ts';
import { createJobAdder } from '../../src/jobs/job-adder.ts';
import { openStore } from '../../src/store/open-store.ts';
import { storedLoans } from '../library/service.ts';
import { addingLoans } from '../library/reminding.ts';
import { remindingLibrary } from '../library/with-jobs.ts';
import { startOnSmallDisk } from '../support/small-disk.ts';

/* Jobs while processes are killed and stopped, and while the database is away. */

const { service } = remindingLibrary({ run: addingLoans });

/** An instance in its own process. */
async function startInstance(env: Record<string, string>, ...modules: string[]) {
  const file = path.join(__dirname, '../library/reminding.ts');
  const imports = ['tsx', ...modules].flatMap((name) => ['--import', name]);
  const started = startProcess(process.execPath, [...imports, file], {
    env: { PATH: process.env['PATH'], ...env },
  });
  stopAtEnd('service', () => started.kill('SIGKILL'));
  await originOf(started);
  return { ...started, has: (text: string) => started.output.stdout.includes(text) };
}

/** The store, as a command opens it beside the instances. */
async function withStore<Result>(
  { DATA_DIR: dataDir = newFolder(), DATABASE_URL: databaseUrl }: Record<string, string>,
  work: (store: Awaited<ReturnType<typeof openStore<typeof service.features>>>) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(service, { dataDir, databaseUrl });
  return work(store).finally(() => store.close());
}

const add = (env: Record<string, string>, book: number) =>
  withStore(env, (store) =>
    createJobAdder(store.jobs, declaredJobs(service), Date.now).alone.add('remind', { book }),
  );

const loansIn = (env: Record<string, string>) =>
  withStore(env, async (store) =>
    (await storedLoans(store.features.loans)).map(({ bookId, days }) => ({ book: bookId, attempt: days })),
  );

test('on SQLite, a job of a killed process runs again when the next one starts', async () => {
  const env = { DATA_DIR: newFolder() };
  const first = await startInstance(env);
  await add(env, 0);
  await until(() => first.has('"began":1'));
  await first.kill('SIGKILL');
  const second = await startInstance(env);
  await until(() => second.has('"began":2'));
  second.child.kill('SIGUSR2');
  await until(() => second.has('"ended":2'));
  expect(await loansIn(env)).toEqual([{ book: 0, attempt: 2 }]);
});

describeWith(['PostgreSQL'], 'jobs on PostgreSQL', () => {
  async function startTwo() {
    const postgres = await startPostgres();
    const DATABASE_URL = await postgres.createDatabase();
    const env = () => ({ DATABASE_URL, DATA_DIR: newFolder() });
    const first = await startInstance(env());
    const second = await startInstance(env());
    await add({ DATABASE_URL }, 0);
    await until(() => first.has('"began":1') || second.has('"began":1'));
    const [runs, waits] = first.has('"began":1') ? [first, second] : [second, first];
    return { env: { DATABASE_URL }, runs, waits };
  }

  test('a job of a killed process runs on another one', async () => {
    const { env, runs, waits } = await startTwo();
    const killedAt = performance.now();
    await runs.kill('SIGKILL');
    await until(() => waits.has('"began":2'));
    note('taken over after a kill', killedAt);
    waits.child.kill('SIGUSR2');
    await until(() => waits.has('"ended":2'));
    expect(await loansIn(env)).toEqual([{ book: 0, attempt: 2 }]);
  });

  test('a process that is stopped for 30 s and continues has lost its job: it commits nothing', async () => {
    const { env, runs, waits } = await startTwo();
    const stoppedAt = performance.now();
    runs.child.kill('SIGSTOP');
    await until(() => waits.has('"began":2'));
    note('taken over from a stopped process', stoppedAt);
    await sleep(30_000 - (performance.now() - stoppedAt));
    // The other one still runs it.
    runs.child.kill('SIGCONT');
    runs.child.kill('SIGUSR2');
    await until(() => runs.has('"failed"'));
    expect(runs.output.stdout).toContain('the run has lost its job');
    waits.child.kill('SIGUSR2');
    await until(() => waits.has('"ended":2'));
    expect(await loansIn(env)).toEqual([{ book: 0, attempt: 2 }]);
  });

  /** Adds jobs, half of them in queues, each of its book. */
  const addMany = (count: number, run: (sql: string) => Promise<unknown>) =>
    run(
      `INSERT INTO kit_jobs (id, name, payload, queue, is_held, run_at)
       SELECT 'job' || n, 'remind', '{"book":' || n || '}', CASE WHEN n % 2 = 0 THEN 'q' || n % 100 END,
         n % 2 = 0 AND n > 100, 0 FROM generate_series(1, ${count}) AS n`,
    );

  async function expectEachOnce(env: Record<string, string>, count: number): Promise<void> {
    const books = (await loansIn(env)).map(({ book = 0 }) => book);
    expect(books).toHaveLength(count);
    expect(new Set(books).size).toBe(count);
    // Each queue in the order of adding.
    for (let queue = 0; queue < 100; queue += 2) {
      const ofQueue = books.filter((book) => book % 2 === 0 && book % 100 === queue);
      expect(ofQueue).toEqual([...ofQueue].sort((a, b) => a - b));
    }
  }

  test('no job is lost and none commits twice over a failover by name to a synchronous standby', async () => {
    const primary = await startPostgres();
    const name = await startRelay(primary.port);
    const onPrimary = await primary.createDatabase();
    const standby = await startPostgres({ standbyOf: primary.port });
    await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await primary.run('SELECT pg_reload_conf()');
    const at = (port: number) => onPrimary.replace(String(primary.port), String(port));
    await withStore({ DATABASE_URL: onPrimary }, () => Promise.resolve());
    await addMany(4_000, (sql) => primary.run(sql, onPrimary));
    const env = () => ({ DATABASE_URL: at(name.port), DATA_DIR: newFolder() });
    await startInstance(env());
    await startInstance(env());
    const left = async (port: number) =>
      Number(
        (await standby.run<{ count: string }>('SELECT count(*) FROM kit_jobs', at(port)))[0]?.count ?? NaN,
      );
    await until(async () => (await left(standby.port)) < 3_000);
    await primary.stop();
    await standby.run('SELECT pg_promote()');
    name.moveTo(standby.port);
    const movedAt = performance.now();
    await until(async () => (await left(standby.port)) === 0);
    note('the rest of 4,000 jobs after a failover', movedAt);
    await expectEachOnce({ DATABASE_URL: at(standby.port) }, 4_000);
  });

  test('no job is lost and none commits twice if the clocks of instances step', async () => {
    const steps = 'const now = Date.now; Date.now = () => now() + Math.round((Math.random() - 0.5) * 1e9);';
    const postgres = await startPostgres();
    const DATABASE_URL = await postgres.createDatabase();
    await withStore({ DATABASE_URL }, () => Promise.resolve());
    await addMany(1_000, (sql) => postgres.run(sql, DATABASE_URL));
    const env = () => ({ DATABASE_URL, DATA_DIR: newFolder() });
    await startInstance(env(), `data:text/javascript,${steps}`);
    await startInstance(env(), `data:text/javascript,${steps}`);
    await until(async () => (await postgres.run('SELECT FROM kit_jobs', DATABASE_URL)).length === 0);
    await expectEachOnce({ DATABASE_URL }, 1_000);
  });

  test('of 20,000 jobs none is lost and none commits twice, over a kill and an outage of 2 s', async () => {
    const postgres = await startPostgres();
    const direct = await postgres.createDatabase();
    const relay = await startRelay(postgres.port);
    const url = new URL(direct);
    url.port = String(relay.port);
    const env = () => ({ DATABASE_URL: url.href, DATA_DIR: newFolder() });
    await withStore({ DATABASE_URL: direct }, () => Promise.resolve());
    await addMany(20_000, (sql) => postgres.run(sql, direct));
    const startedAt = performance.now();
    const instances = [await startInstance(env()), await startInstance(env())];
    const [first, second] = instances;
    const left = async () =>
      Number((await postgres.run<{ count: string }>('SELECT count(*) FROM kit_jobs', direct))[0]?.count);
    await until(async () => (await left()) < 15_000);
    await first?.kill('SIGKILL');
    instances.push(await startInstance(env()));
    await until(async () => (await left()) < 10_000);
    relay.mute();
    await sleep(2_000);
    relay.unmute();
    await until(async () => (await left()) < 5_000);
    await second?.kill('SIGTERM');
    await until(async () => (await left()) === 0);
    note('20,000 jobs', startedAt);
    await expectEachOnce({ DATABASE_URL: direct }, 20_000);
  });
});

describeWith(['PostgreSQL', 'unshare'], 'jobs while the disk of PostgreSQL is full', () => {
  test('run when it has room again', async () => {
    const { url, query, fill, empty } = await startOnSmallDisk();
    const env = { DATABASE_URL: url, DATA_DIR: newFolder() };
    const instance = await startInstance(env);
    await add(env, 0);
    await until(() => instance.has('"began":1'));
    await fill();
    instance.child.kill('SIGUSR2');
    await until(() => instance.has('"failed"'));
    await empty();
    await until(() => instance.has('"began":2'));
    instance.child.kill('SIGUSR2');
    await until(async () => ((await query('SELECT FROM kit_jobs')).rowCount ?? 0) === 0);
    expect(await loansIn(env)).toMatchObject([{ book: 0 }]);
  });
});

function note(what: string, since: number): void {
  process.stderr.write(`${what}: ${Math.round(performance.now() - since)} ms\n`);
}
