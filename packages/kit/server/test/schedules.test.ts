import { describeWith } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres, until } from '@contract-kit/test-support/testing';
import { defineService } from '../src/index.ts';
import { createClock } from '../src/testing/service.ts';
import { closingLibrary, type CloseJob } from './library/with-schedules.ts';
import { createTestTools } from './support/tools.ts';

/* Jobs that run by themselves, at the times of a cron. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A library that records when it should have closed, and does `also`. */
function closingAt(every: CloseJob['every'], also: CloseJob['run'] = () => undefined) {
  const ticks: string[] = [];
  const { service, given } = closingLibrary({
    ...(every !== undefined && { every }),
    backoff: () => 0,
    run(tick, context) {
      ticks.push(tick.at.toISOString().slice(0, 16));
      return also(tick, context);
    },
  });
  const { startTestService } = createTestTools(service);
  return {
    ticks,
    start: async (options?: Parameters<typeof startTestService>[0]) => {
      const started = await startTestService(options);
      const skipped = async () =>
        /job_ticks_skipped_total{name="close"} (\d+)/.exec(
          await (await started.request('/metrics')).text(),
        )?.[1];
      /** Moves the clock on in steps, and runs what is due after each. */
      const pass = async (time: number, step: number) => {
        for (let passed = 0; passed < time; passed += step) {
          started.clock.advance(step);
          await started.jobs.drain();
        }
      };
      const skips = () => started.logged.filter(({ msg }) => msg === 'a tick was skipped');
      return { ...started, given: given(), skipped, skips, pass };
    },
  };
}

const NIGHTLY = '0 2 * * *';

/** When `every` ticks, by a service that looks every `step`. */
async function ticksIn(every: CloseJob['every'], from: string, time: number, step = HOUR) {
  const { start, ticks } = closingAt(every);
  const { pass } = await start({ clock: createClock(Date.parse(from)) });
  await pass(time, step);
  return ticks;
}

function describeSchedules(engine: string, env: () => Promise<Record<string, string>>): void {
  /** What services that follow one another have in common. */
  const place = async (from = '2026-11-21T12:00:00Z') => ({
    env: await env(),
    dataDir: newFolder(),
    clock: createClock(Date.parse(from)),
  });

  describe(`schedules in ${engine}`, () => {
    test('a job runs once at each tick, and gets its time', async () => {
      const { start, ticks } = closingAt(NIGHTLY);
      const { clock, jobs } = await start(await place());
      expect(await jobs.drain()).toBe(0);
      clock.advance(14 * HOUR - 1);
      expect(await jobs.drain()).toBe(0);
      clock.advance(1);
      expect([await jobs.drain(), await jobs.drain()]).toEqual([1, 0]);
      clock.advance(DAY);
      await jobs.drain();
      expect(ticks).toEqual(['2026-11-22T02:00', '2026-11-23T02:00']);
    });

    test('a job with a schedule can be added too', async () => {
      const { start, ticks } = closingAt(NIGHTLY);
      const { given, jobs } = await start(await place());
      await given.jobs.add('close', { at: new Date('2026-11-20T02:00:00Z') });
      await jobs.drain();
      expect(ticks).toEqual(['2026-11-20T02:00']);
    });

    test('of the ticks that are missed while no instance runs, the first runs late, and once', async () => {
      const { start, ticks } = closingAt(NIGHTLY);
      const common = await place();
      await (await start(common)).stop();
      common.clock.advance(3 * DAY);
      const { jobs, pass } = await start(common);
      expect([await jobs.drain(), await jobs.drain()]).toEqual([1, 0]);
      expect(ticks).toEqual(['2026-11-22T02:00']);
      await pass(DAY, HOUR);
      expect(ticks).toEqual(['2026-11-22T02:00', '2026-11-25T02:00']);
    });

    test('a tick is not run late if it must not be, and is counted', async () => {
      const { start, ticks } = closingAt({ cron: NIGHTLY, late: false });
      const common = await place();
      await (await start(common)).stop();
      common.clock.advance(DAY);
      const { jobs, pass, skipped, skips } = await start(common);
      expect([await jobs.drain(), await skipped()]).toEqual([0, '1']);
      expect(skips()).toMatchObject([{ job: 'close', reason: 'it is late' }]);
      await pass(14 * HOUR, HOUR);
      expect([ticks, await skipped()]).toEqual([['2026-11-23T02:00'], '1']);
    });

    test('a tick that finds the last run under way is skipped and counted', async () => {
      let end = () => {};
      const { start, ticks } = closingAt(NIGHTLY, () => new Promise<void>((resolve) => (end = resolve)));
      const { clock, jobs, skipped, skips } = await start(await place());
      clock.advance(DAY);
      const drained = jobs.drain();
      await until(() => ticks.length === 1);
      clock.advance(DAY);
      const others = jobs.drain();
      await until(async () => (await skipped()) === '1');
      expect(skips()).toMatchObject([
        { job: 'close', tick: '2026-11-23T02:00:00.000Z', reason: 'the last run has not ended' },
      ]);
      end();
      await Promise.all([drained, others]);
      expect(ticks).toHaveLength(1);
      clock.advance(DAY);
      const last = jobs.drain();
      await until(() => ticks.length === 2);
      end();
      await last;
      expect([ticks, await skipped()]).toEqual([['2026-11-22T02:00', '2026-11-24T02:00'], '1']);
    });

    test('a run that fails is tried again, and a tick meanwhile is skipped; a dead one holds no tick', async () => {
      const { service } = closingLibrary({
        every: NIGHTLY,
        attempts: 2,
        backoff: () => DAY,
        run: () => Promise.reject(new Error('no')),
      });
      const { clock, jobs, request } = await createTestTools(service).startTestService(await place());
      const days = [];
      for (let day = 1; day <= 3; day += 1) {
        clock.advance(DAY);
        days.push(await jobs.drain());
      }
      expect(days).toEqual([1, 1, 1]);
      const metrics = await (await request('/metrics')).text();
      expect(metrics).toContain('job_ticks_skipped_total{name="close"} 1');
      expect(metrics).toContain('jobs{name="close",state="dead"} 1');
    });

    test('a new schedule and a changed one owe no past tick', async () => {
      const common = await place();
      await (await closingAt(undefined).start(common)).stop();
      common.clock.advance(DAY);
      await (await closingAt(NIGHTLY).start(common)).stop();
      common.clock.advance(DAY);
      for (const changed of ['0 3 * * *', { cron: NIGHTLY, timeZone: 'Europe/Berlin' }]) {
        const { start, ticks } = closingAt(changed);
        const { jobs, pass, stop } = await start(common);
        expect(await jobs.drain()).toBe(0);
        await pass(DAY, HOUR);
        expect(ticks).toHaveLength(1);
        await stop();
      }
    });

    test('a removed schedule leaves no tick, also if it comes again', async () => {
      const common = await place();
      await (await closingAt(NIGHTLY).start(common)).stop();
      const without = await closingAt(undefined).start(common);
      await without.pass(2 * DAY, HOUR);
      await without.stop();
      const again = closingAt(NIGHTLY);
      const { jobs, pass } = await again.start(common);
      expect(await jobs.drain()).toBe(0);
      await pass(DAY, HOUR);
      expect(again.ticks).toEqual(['2026-11-24T02:00']);
    });

    test('a step of the clock loses no tick, and repeats none', async () => {
      const { start, ticks } = closingAt(NIGHTLY);
      const { clock, jobs, pass } = await start(await place());
      await pass(DAY, HOUR);
      clock.advance(10 * DAY);
      await jobs.drain();
      clock.advance(-10 * DAY);
      await pass(2 * DAY, HOUR);
      clock.advance(-DAY);
      await pass(2 * DAY, HOUR);
      const days = [22, 23, 24, 25];
      expect(ticks).toEqual(days.map((day) => `2026-11-${day}T02:00`));
    });

    test('in a started service schedules tick by themselves', async () => {
      const { start, ticks } = closingAt(NIGHTLY);
      const { clock } = await start({ ...(await place()), background: true });
      clock.advance(DAY);
      await until(() => ticks.length === 1);
    });
  });
}

describeSchedules('SQLite', () => Promise.resolve({}));

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  const env = async () => ({ DATABASE_URL: await postgres.createDatabase() });
  describeSchedules('PostgreSQL', env);

  test('of several instances one runs a tick', async () => {
    const { start, ticks } = closingAt('* * * * *');
    const clock = createClock();
    const common = { env: await env(), clock };
    const instances = await Promise.all([start(common), start(common), start(common)]);
    for (let minute = 0; minute < 20; minute += 1) {
      clock.advance(MINUTE);
      await Promise.all(instances.map(({ jobs }) => jobs.drain()));
    }
    expect(ticks).toHaveLength(20);
    expect(new Set(ticks).size).toBe(20);
    expect(await Promise.all(instances.map(({ skipped }) => skipped()))).toEqual(['0', '0', '0']);
  });

  test('during a rolling change each version has its own schedule, and the older one goes with its instances', async () => {
    const common = { env: await env(), clock: createClock(Date.parse('2026-11-22T01:50:00Z')) };
    const older = closingAt(NIGHTLY);
    const newer = closingAt('0 3 * * *');
    const first = await older.start(common);
    const second = await newer.start(common);
    const minutes = async (count: number, services: { jobs: { drain: () => Promise<number> } }[]) => {
      for (let minute = 0; minute < count; minute += 1) {
        common.clock.advance(MINUTE);
        for (const { jobs } of services) await jobs.drain();
      }
    };
    await minutes(80, [first, second]);
    await first.stop();
    common.clock.advance(DAY);
    await minutes(1, [second]);
    expect([...older.ticks, ...newer.ticks].sort()).toEqual([
      '2026-11-22T02:00',
      '2026-11-22T03:00',
      '2026-11-23T03:00',
    ]);
    const rows = await postgres.run('SELECT name FROM kit_schedules', common.env.DATABASE_URL);
    expect(rows).toHaveLength(1);
  });
});

describe('the ticks', () => {
  test('are those of the time zone', async () => {
    const every = { cron: NIGHTLY, timeZone: 'America/New_York' };
    expect(await ticksIn(every, '2026-06-01T00:00:00Z', DAY)).toEqual(['2026-06-01T06:00']);
  });

  test.each([
    // The clocks go from 2:00 to 3:00.
    ['Europe/Berlin', '30 2 * * *', '2026-03-27T23:00:00Z', ['28T01:30', '29T01:30', '30T00:30']],
    ['America/New_York', '30 2 * * *', '2026-03-07T05:00:00Z', ['07T07:30', '08T07:30', '09T06:30']],
    [
      'Europe/Berlin',
      '0 2,14 * * *',
      '2026-03-28T23:00:00Z',
      ['29T01:00', '29T12:00', '30T00:00', '30T12:00'],
    ],
    // And from 3:00 to 2:00, or from 2:00 to 1:00.
    ['Europe/Berlin', '30 2 * * *', '2026-10-23T22:00:00Z', ['24T00:30', '25T00:30', '26T01:30']],
    ['America/New_York', '30 1 * * *', '2026-10-31T04:00:00Z', ['31T05:30', '01T05:30', '02T06:30']],
    [
      'America/New_York',
      '0 1,13 * * *',
      '2026-11-01T04:00:00Z',
      ['01T05:00', '01T18:00', '02T06:00', '02T18:00'],
    ],
  ])(
    'in %s %s runs once a day when daylight saving begins and ends (from %s)',
    async (timeZone, cron, from, expected) => {
      const days = expected.length === 3 ? 3 : 2;
      const ticks = await ticksIn({ cron, timeZone }, from, days * DAY, HOUR / 2);
      expect(ticks.map((tick) => tick.slice(8))).toEqual(expected);
    },
  );

  test.each([
    ['Europe/Berlin', '2026-03-28T22:10:00Z'],
    ['Europe/Berlin', '2026-10-24T22:10:00Z'],
    ['America/New_York', '2026-03-08T03:10:00Z'],
    ['America/New_York', '2026-11-01T03:10:00Z'],
    // By half an hour.
    ['Australia/Lord_Howe', '2026-04-04T12:10:00Z'],
  ])('in %s what runs every half an hour does so also then (from %s)', async (timeZone, from) => {
    const every = { cron: '*/30 * * * *', timeZone };
    const ticks = await ticksIn(every, from, 6 * HOUR, MINUTE * 10);
    const first = Date.parse(from) + 20 * MINUTE;
    expect(ticks).toEqual(
      ticks.map((_, index) => new Date(first + index * 30 * MINUTE).toISOString().slice(0, 16)),
    );
    expect(ticks).toHaveLength(12);
  });
});

test.each([
  ['0 25 * * *', 'hour'],
  ['0 0 30 2 *', 'it never runs'],
  ['0 0 0 * * *', '5'],
  ['2026-12-05T02:00:00', '5'],
  [{ cron: NIGHTLY, timeZone: 'Mars/Base' }, 'Mars/Base'],
])('the schedule %j is refused where the service is defined', (every, reason) => {
  const { contract, features } = closingLibrary({ every, run: () => undefined }).service;
  const define = () => defineService(contract, features as never, { version: '1', description: '' });
  expect(define).toThrow('the job close has a wrong schedule: ');
  expect(define).toThrow(reason);
});

test('a job with a schedule has to take its ticks', () => {
  const parse = () => {
    throw new Error('a reminder has a book');
  };
  const { contract, features } = closingLibrary({ every: NIGHTLY, parse, run: () => undefined }).service;
  expect(() => defineService(contract, features as never, { version: '1', description: '' })).toThrow(
    'the job close has a wrong schedule: a reminder has a book',
  );
});
