import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres, until } from '@contract-kit/test-support/testing';
import { defineService } from '../src/index.ts';
import type { LoanStore } from './library/loan-store.ts';
import { storedLoans } from './library/service.ts';
import { library } from './library/library.ts';
import { due, type RemindJob, type Reminder } from './library/with-jobs.ts';
import { libraryWith } from './support/jobs.ts';
import { createTestTools } from './support/tools.ts';

/* Jobs of a feature. */

/** A library whose job records its runs, and does `also`. */
function recording(also: RemindJob['run'] = () => undefined, job: Partial<RemindJob> = {}) {
  const runs: { book: number; attempt: number; id: string }[] = [];
  const { start, ...rest } = libraryWith({
    ...job,
    run(payload, context) {
      runs.push({ book: payload.book, attempt: context.attempt, id: context.id });
      return also(payload, context);
    },
  });
  return { ...rest, start, runs, books: () => runs.map(({ book }) => book) };
}

const books = async ({ store }: { store: { features: { loans: LoanStore } } }) =>
  (await storedLoans(store.features.loans)).map(({ bookId }) => bookId);

function describeJobs(engine: string, env: () => Promise<Record<string, string>>): void {
  describe(`jobs in ${engine}`, () => {
    test('a job that a transaction adds runs if it commits, with its payload', async () => {
      const { start, runs } = recording();
      const { given, jobs } = await start({ env: await env() });
      const adding = (book: number, fails: boolean) =>
        given.transaction(async ({ store, jobs }) => {
          await store.create(book, 1, due);
          await jobs.add('remind', { book });
          if (fails) throw new Error('no');
        });
      await expect(adding(1, true)).rejects.toThrow('no');
      await adding(2, false);
      expect(await jobs.drain()).toBe(1);
      expect(runs).toEqual([{ book: 2, attempt: 1, id: expect.any(String) as string }]);
      expect(await jobs.drain()).toBe(0);
    });

    test('a payload is checked when it is added', async () => {
      const { start } = recording();
      const { given, jobs } = await start({ env: await env() });
      const wrong = { book: '1' } as unknown as Reminder;
      await expect(given.jobs.add('remind', wrong)).rejects.toThrow('a reminder has a book');
      expect(await jobs.drain()).toBe(0);
    });

    test('an instance leaves a payload that it cannot read to others, and no attempt counts', async () => {
      const settings = { env: await env(), dataDir: newFolder() };
      const newer = libraryWith({ parse: (value) => value as Reminder, run: () => undefined });
      const first = await newer.start(settings);
      await first.given.jobs.add('remind', { book: 1, days: 3 } as Reminder);
      await first.stop();
      const { start, runs } = recording();
      const second = await start(settings);
      await second.jobs.drain();
      expect([runs, second.messages('the payload of a job cannot be read')]).toMatchObject([[], [{}]]);
      await second.stop();
      const third = recording(undefined, { parse: (value) => value as Reminder });
      const { clock, jobs } = await third.start(settings);
      clock.advance(10_000);
      await jobs.drain();
      expect(third.runs).toMatchObject([{ book: 1, attempt: 1 }]);
    });

    test('a job does not run before its time, and the clock of a test moves it', async () => {
      const { start, books } = recording();
      const { given, jobs, clock } = await start({ env: await env() });
      await given.jobs.add('remind', { book: 1 }, { at: new Date(clock() + 60_000) });
      await given.jobs.add('remind', { book: 2 });
      await jobs.drain();
      clock.advance(59_999);
      await jobs.drain();
      expect(books()).toEqual([2]);
      clock.advance(1);
      await jobs.drain();
      expect(books()).toEqual([2, 1]);
    });

    test('a job that fails is tried again later and later, until it is dead', async () => {
      const { start, runs } = recording(() => Promise.reject(new Error('no mail')), { attempts: 3 });
      const service = await start({ env: await env() });
      const { given, jobs, clock, logged } = service;
      const id = await given.jobs.add('remind', { book: 1 });
      await jobs.drain();
      clock.advance(4_999);
      expect(await jobs.drain()).toBe(0);
      clock.advance(1);
      await jobs.drain();
      clock.advance(9_999);
      expect(await jobs.drain()).toBe(0);
      clock.advance(1);
      await jobs.drain();
      expect(runs).toEqual([1, 2, 3].map((attempt) => ({ book: 1, attempt, id })));
      clock.advance(3_600_000);
      expect(await jobs.drain()).toBe(0);
      expect(logged.filter(({ msg }) => String(msg).startsWith('a job'))).toMatchObject([
        { msg: 'a job failed', job: 'remind', jobId: id, attempt: 1, runsAgainInMs: 5_000 },
        { msg: 'a job failed', attempt: 2, runsAgainInMs: 10_000 },
        { msg: 'a job is dead', attempt: 3, level: 50, err: { message: 'no mail' } },
      ]);
      const metrics = await (await service.request('/metrics')).text();
      expect(metrics).toContain('library_job_failures_total{name="remind"} 3');
      expect(metrics).toContain('library_jobs{name="remind",state="dead"} 1');
      expect(metrics).toContain('library_jobs{name="remind",state="waiting"} 0');
    });

    test('the metrics have the age of the oldest job that could run', async () => {
      const { start } = recording();
      const { given, clock, request } = await start({ env: await env() });
      await given.jobs.add('remind', { book: 1 });
      await given.jobs.add('remind', { book: 2 }, { at: new Date(clock() + 3_600_000) });
      clock.advance(90_000);
      const metrics = await (await request('/metrics')).text();
      expect(metrics).toContain('library_jobs_oldest_seconds{name="remind"} 90\n');
      expect(metrics).toContain('library_jobs{name="remind",state="waiting"} 2');
    });

    test('of equal unique values only one waits, and it runs after what was added while one ran', async () => {
      const { start, books } = recording(async ({ book }) => {
        if (book === 1) await given.jobs.add('remind', { book: 3 }, { unique: 'a' });
      });
      const { given, jobs } = await start({ env: await env() });
      const id = await given.jobs.add('remind', { book: 1 }, { unique: 'a' });
      expect(await given.jobs.add('remind', { book: 2 }, { unique: 'a' })).toBe(id);
      await given.jobs.add('remind', { book: 4 }, { unique: 'b' });
      await jobs.drain();
      expect(books().sort()).toEqual([1, 3, 4]);
    });

    test('a job that fails while one with its unique value waits is replaced by it, which goes on with its attempts', async () => {
      const { start, runs } = recording(async ({ book }) => {
        if (book === 2) return;
        await given.jobs.add('remind', { book: 2 }, { unique: 'a', queue: 'q' });
        throw new Error('no');
      });
      const { given, jobs } = await start({ env: await env() });
      await given.jobs.add('remind', { book: 1 }, { unique: 'a', queue: 'q' });
      await jobs.drain();
      expect(runs).toMatchObject([
        { book: 1, attempt: 1 },
        { book: 2, attempt: 2 },
      ]);
    });

    test('jobs of a queue run one at a time in order, and one that fails holds its queue until it is dead', async () => {
      let running = 0;
      let most = 0;
      const work = async ({ book }: Reminder) => {
        most = Math.max(most, (running += 1));
        await sleep(5);
        running -= 1;
        if (book === 2) throw new Error('no');
      };
      const { start, books } = recording(work, { attempts: 2, backoff: () => 1_000 });
      const { given, jobs, clock } = await start({ env: await env() });
      for (const book of [1, 2, 3, 4]) await given.jobs.add('remind', { book }, { queue: 'q' });
      await jobs.drain();
      expect(books()).toEqual([1, 2]);
      clock.advance(1_000);
      await jobs.drain();
      expect(books()).toEqual([1, 2, 2, 3, 4]);
      expect(most).toBe(1);
      await given.jobs.add('remind', { book: 5 }, { queue: 'q' });
      expect(await jobs.drain()).toBe(1);
    });

    test('at most `concurrency` jobs run at the same time', async () => {
      let running = 0;
      let most = 0;
      const work = async () => {
        most = Math.max(most, (running += 1));
        await sleep(5);
        running -= 1;
      };
      const { start, runs } = recording(work, { concurrency: 2 });
      const { given, jobs } = await start({ env: await env() });
      for (let book = 0; book < 10; book += 1) await given.jobs.add('remind', { book });
      await jobs.drain();
      expect([runs.length, most]).toEqual([10, 2]);
    });

    test('a run that takes too long has failed, its signal aborts, and its transaction does not commit', async () => {
      let late: Promise<unknown> = Promise.resolve();
      const work: RemindJob['run'] = ({ book }, { signal, transaction }) => {
        late = transaction(async ({ store }) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          await store.create(book, 1, due);
        });
        return late;
      };
      const { start } = recording(work, { timeout: 50 });
      const service = await start({ env: await env() });
      await service.given.jobs.add('remind', { book: 1 });
      await service.jobs.drain();
      await expect(late).rejects.toThrow('the run has lost its job');
      expect(await books(service)).toEqual([]);
      expect(service.logged.find(({ msg }) => msg === 'a job failed')).toMatchObject({
        err: { type: 'DOMException', message: 'it took too long' },
      });
    });

    test('the transaction of a run commits, and jobs that it adds run', async () => {
      const work: RemindJob['run'] = ({ book }, { transaction }) =>
        transaction(async ({ store, jobs }) => {
          await store.create(book, 1, due);
          if (book < 3) await jobs.add('remind', { book: book + 1 });
        });
      const { start } = recording(work);
      const service = await start({ env: await env() });
      await service.given.jobs.add('remind', { book: 1 });
      expect(await service.jobs.drain()).toBe(3);
      expect(await books(service)).toEqual([1, 2, 3]);
    });

    test('a job is done with the commit of its `finish`, also if the run fails after it', async () => {
      const { start, runs } = recording(async ({ book }, { finish }) => {
        await finish(({ store }) => store.create(book, 1, due));
        throw new Error('no');
      });
      const service = await start({ env: await env() });
      await service.given.jobs.add('remind', { book: 1 }, { queue: 'q', unique: 'u' });
      await service.given.jobs.add('remind', { book: 2 }, { queue: 'q' });
      await service.jobs.drain();
      service.clock.advance(3_600_000);
      expect(await service.jobs.drain()).toBe(0);
      expect([runs.length, await books(service)]).toEqual([2, [1, 2]]);
    });

    test('jobs have the trace of the request that added them, in their context and their log', async () => {
      const traces: (string | undefined)[] = [];
      const { start } = recording((_, { traceId, log }) => {
        traces.push(traceId);
        log.info('reminded');
      });
      const { given, jobs, request, unlimitedKey, logged } = await start({
        env: await env(),
        handlers: {
          findBooks: async () => {
            await given.transaction(({ jobs }) => jobs.add('remind', { book: 1 }));
            return { status: 200, headers: { 'X-Total': 0 }, body: [] };
          },
        },
      });
      const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
      const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
      expect((await request('/v1/books', { key: await unlimitedKey(), headers })).status).toBe(200);
      await given.jobs.add('remind', { book: 2 });
      await jobs.drain();
      expect(traces.sort()).toEqual([trace, undefined]);
      expect(logged.find(({ msg }) => msg === 'reminded')).toMatchObject({ job: 'remind', traceId: trace });
    });

    test('in a started service jobs run by themselves, and those under way are given back at the end of its stop', async () => {
      const settings = { env: { ...(await env()), SHUTDOWN_GRACE_SECONDS: '1' }, dataDir: newFolder() };
      const aborted: boolean[] = [];
      const { start, runs } = recording(
        (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              aborted.push(signal.aborted);
              reject(signal.reason as Error);
            });
          }),
      );
      const first = await start({ ...settings, background: true });
      await first.given.jobs.add('remind', { book: 1 });
      await until(() => runs.length === 1);
      await first.stop();
      expect(aborted).toEqual([true]);
      const again = recording();
      const second = await again.start(settings);
      await second.jobs.drain();
      expect(again.runs).toMatchObject([{ book: 1, attempt: 1 }]);
    });

    test('in tests jobs run only when they are asked to', async () => {
      const { start, runs } = recording();
      const { given } = await start({ env: await env() });
      await given.jobs.add('remind', { book: 1 });
      await sleep(20);
      expect(runs).toEqual([]);
    });

    test('a dead job is deleted after 30 days', async () => {
      const { start } = recording(() => Promise.reject(new Error('no')), { attempts: 1 });
      const settings = { env: await env(), dataDir: newFolder() };
      const first = await start(settings);
      await first.given.jobs.add('remind', { book: 1 });
      await first.jobs.drain();
      await first.stop();
      const service = await start(settings);
      const dead = async () =>
        /jobs{name="remind",state="dead"} (\d)/.exec(await (await service.request('/metrics')).text())?.[1];
      expect(await dead()).toBe('1');
      service.clock.advance(30 * 24 * 60 * 60_000);
      await service.jobs.drain();
      expect(await dead()).toBe('0');
    });
  });
}

describeJobs('SQLite', () => Promise.resolve({}));

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeJobs('PostgreSQL', async () => ({ DATABASE_URL: await postgres.createDatabase() }));

  test('a job that a transaction adds again does not begin before the transaction has ended', async () => {
    const { start, books } = recording();
    const { given, jobs } = await start({ env: { DATABASE_URL: await postgres.createDatabase() } });
    await given.jobs.add('remind', { book: 1 }, { unique: 'a' });
    // Otherwise it would not see what the transaction changes.
    await given.transaction(async (inside) => {
      await inside.jobs.add('remind', { book: 2 }, { unique: 'a' });
      expect(await jobs.drain()).toBe(0);
    });
    await jobs.drain();
    expect(books()).toEqual([1]);
  });

  test('a run whose job another instance takes over has an aborted signal, and the loss counts as an attempt', async () => {
    const waiting: RemindJob['run'] = (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    const { start, runs } = recording(waiting, { attempts: 1 });
    const env = { DATABASE_URL: await postgres.createDatabase() };
    const first = await start({ env });
    await first.given.jobs.add('remind', { book: 1 });
    const drained = first.jobs.drain();
    await until(() => runs.length === 1);
    const second = await start({ env });
    // As if it had not renewed its lease for long.
    await postgres.run('UPDATE kit_jobs SET leased_until = 0', env.DATABASE_URL);
    await second.jobs.drain();
    expect(second.messages('a job is dead')).toHaveLength(1);
    await drained;
    expect(first.messages('a run has lost its job')).toHaveLength(1);
    expect(runs).toHaveLength(1);
  });

  test('jobs of a queue run in the order of the transactions that add them, also if the first is slow', async () => {
    const { start, books } = recording();
    const { given, jobs } = await start({ env: { DATABASE_URL: await postgres.createDatabase() } });
    let second: Promise<string> | undefined;
    await given.transaction(async (inside) => {
      await inside.jobs.add('remind', { book: 1 }, { queue: 'q' });
      second = given.jobs.add('remind', { book: 2 }, { queue: 'q' });
      await Promise.race([second, sleep(100)]);
      expect(await jobs.drain()).toBe(0);
    });
    await second;
    await jobs.drain();
    expect(books()).toEqual([1, 2]);
  });

  test('a service without jobs has no table for them', async () => {
    const url = await postgres.createDatabase();
    const tables = async () =>
      (await postgres.run<{ tablename: string }>(`SELECT tablename FROM pg_tables`, url)).map(
        ({ tablename }) => tablename,
      );
    const { openPostgresStore } = libraryWith({ run: () => undefined });
    await (await createTestTools(library).openPostgresStore({ url })).close();
    expect(await tables()).not.toContain('kit_jobs');
    await (await openPostgresStore({ url })).close();
    expect(await tables()).toContain('kit_jobs');
    // A version without jobs runs beside one with jobs.
    await (await createTestTools(library).openPostgresStore({ url })).close();
  });
});

test('two features with one name for a job are refused', () => {
  const { service } = libraryWith({ run: () => undefined });
  const { loans, others } = service.features;
  expect(() =>
    defineService(
      service.contract,
      { loans, more: { open: () => ({}), handlers: () => ({}), jobs: loans.jobs }, others } as never,
      { version: '1', description: '' },
    ),
  ).toThrow('the features loans and more both have the job remind');
});
