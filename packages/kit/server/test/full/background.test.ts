import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@contract-kit/test-support';
import type { Background, Services } from '../../src/index.ts';
import { newFolder, shared, startPostgres, startRelay, until } from '@contract-kit/test-support/testing';
import { createTestTools } from '../support/tools.ts';
import { library } from '../library/library.ts';
import type { LoanStore } from '../library/loan-store.ts';

type Given = Services<LoanStore>;

/** The library with background work. */
function libraryWith(background: Background<Given>) {
  const { loans, others } = library.features;
  return createTestTools({ ...library, features: { loans: { ...loans, background }, others } });
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

test('background work starts when the service listens, and ends before the store closes', async () => {
  const events: string[] = [];
  const { startTestService } = libraryWith(async ({ store }, signal) => {
    events.push('started');
    await untilAborted(signal);
    await sleep(50);
    await store.create(1, 1, '2026-12-01T00:00:00Z');
    events.push('saved');
  });
  const service = await startTestService({ background: true });
  await until(() => events.length === 1);
  await service.stop();
  expect(events).toEqual(['started', 'saved']);
});

test('in tests background work starts only if it is asked for', async () => {
  let count = 0;
  const { startTestService } = libraryWith(() => void (count += 1));
  await (await startTestService()).stop();
  expect(count).toBe(0);
});

test('background work that crashes is logged, counted and started again', async () => {
  const startedAt: number[] = [];
  const { startTestService } = libraryWith(() => {
    startedAt.push(performance.now());
    if (startedAt.length < 3) throw new Error(`crash ${startedAt.length}`);
  });
  const service = await startTestService({ background: true });
  await until(() => startedAt.length === 3);
  const crashes = service.logged.filter(({ msg }) => msg === 'background work crashed');
  expect(crashes).toEqual(
    [1, 2].map((number): unknown =>
      expect.objectContaining({
        level: 50,
        feature: 'loans',
        err: expect.objectContaining({ message: `crash ${number}` }) as unknown,
      }),
    ),
  );
  const [first = 0, second = 0, third = 0] = startedAt;
  expect(third - second).toBeGreaterThan(second - first);
  expect(await (await service.request('/metrics')).text()).toContain(
    'library_background_failures_total{feature="loans"} 2',
  );
});

test('background work that ignores its signal holds a stop up for the grace period at most', async () => {
  const { startTestService } = libraryWith(() => new Promise(() => undefined));
  const service = await startTestService({ background: true, env: { SHUTDOWN_GRACE_SECONDS: '1' } });
  await service.stop();
  expect(service.messages('background work ran on')).toHaveLength(1);
});

async function expectStartAtOnce(env: Record<string, string>): Promise<void> {
  let isRunning = false;
  const { startTestService } = libraryWith({
    once: true,
    async run(_services, signal) {
      isRunning = true;
      await untilAborted(signal);
      isRunning = false;
    },
  });
  const service = await startTestService({ background: true, env });
  const startedAt = performance.now();
  await until(() => isRunning);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  await service.stop();
  expect(isRunning).toBe(false);
}

test('on SQLite, work of one instance at a time starts at once', () => expectStartAtOnce({}));

describeWith(['PostgreSQL'], 'with several instances on PostgreSQL', () => {
  const postgres = shared(startPostgres);

  test('in a test, work of one instance at a time starts at once', async () => {
    await expectStartAtOnce({ DATABASE_URL: await postgres.createDatabase() });
  });

  test('work runs on one at a time, and another takes over after the first lost its database', async () => {
    const running = new Set<string>();
    const started: { name: string; at: number }[] = [];
    let mostAtOnce = 0;
    let stoppedAt = 0;
    const database = new URL(await postgres.createDatabase());
    const relay = await startRelay(postgres.port);
    const instance = (name: string, port: number) => {
      const url = new URL(database);
      url.port = String(port);
      const { startTestService } = libraryWith({
        once: true,
        async run(_services, signal) {
          running.add(name);
          started.push({ name, at: performance.now() });
          mostAtOnce = Math.max(mostAtOnce, running.size);
          await untilAborted(signal);
          running.delete(name);
          if (name === 'first') stoppedAt = performance.now();
        },
      });
      const env = { DATABASE_URL: url.href };
      return startTestService({ background: true, handsOver: true, dataDir: newFolder(), env });
    };
    await instance('first', relay.port);
    // It has the lock before the others ask.
    const locks = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted`;
    await until(async () => (await postgres.run(locks, database.href)).length === 1);
    await instance('second', postgres.port);
    await instance('third', postgres.port);
    await until(() => started.length === 1);
    expect(started[0]?.name).toBe('first');

    const lostAt = performance.now();
    // The server still has the connection, and frees the lock when it ends.
    relay.mute();
    await until(() => stoppedAt > 0);
    expect(stoppedAt - lostAt).toBeLessThan(5_000);
    await until(() => started.length === 2);
    const [, next] = started;
    expect(next?.name).not.toBe('first');
    expect((next?.at ?? 0) - lostAt).toBeGreaterThan(15_000);
    expect(mostAtOnce).toBe(1);
    relay.unmute();
  });
});
