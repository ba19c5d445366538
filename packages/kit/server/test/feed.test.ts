import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@contract-kit/test-support';
import { newFolder, startPostgres, until } from '@contract-kit/test-support/testing';
import { createClock } from '../src/testing/service.ts';
import { change, DAY, follow, isExpired, start } from './support/feed.ts';

function keepPromises(envFor: () => Promise<Record<string, string>>): void {
  test('entries are read once, in order, from any cursor on, and new ones as they come', async () => {
    const service = await start({ env: await envFor() });
    for (const loan of [1, 2, 3]) await service.feed.append('changes', change(loan));
    await service.feed.append('notes', 'another topic');
    const first = follow(service);
    await until(() => first.seen.length === 3);
    const second = follow(service, first.cursors[0]);
    const fromNow = follow(service, await service.feed.end('changes'));
    await service.feed.append('changes', change(4));
    await until(() => [first, second, fromNow].every(({ seen }) => seen.at(-1)?.loan === 4));
    expect([first, second, fromNow].map(({ seen }) => seen.map(({ loan }) => loan))).toEqual([
      [1, 2, 3, 4],
      [2, 3, 4],
      [4],
    ]);
    first.stop();
    expect(await first.ended).toMatchObject({ name: 'AbortError' });
    await service.stop();
  });

  test('an entry of a transaction is there if it commits, and only then', async () => {
    const service = await start({ env: await envFor() });
    const reader = follow(service);
    const work = service.transaction(async ({ feed, store }) => {
      await store.create(1, 1, '2026-12-01T00:00:00Z');
      await feed.append('changes', change(1));
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    await service.transaction(async ({ feed }) => {
      for (const loan of [2, 3]) await feed.append('changes', change(loan, 'a `text` with "signs" \0'));
    });
    await until(() => reader.seen.length === 2);
    expect(reader.seen.map(({ loan, state }) => [loan, state.at(-1)])).toEqual([
      [2, '\0'],
      [3, '\0'],
    ]);
    await service.stop();
  });

  test('what is older than its topic keeps it is deleted, and a cursor before it has expired', async () => {
    const options = { env: await envFor(), dataDir: newFolder() };
    const service = await start(options);
    const before = await service.feed.end('notes');
    await service.feed.append('notes', 'old');
    await service.feed.append('changes', change(1));
    const behind = await service.feed.end('notes');
    await service.stop();

    const clock = createClock();
    clock.advance(DAY + 1);
    const later = await start({ ...options, clock });
    await until(() => isExpired(later, before, 'notes'));
    await later.feed.append('notes', 'new');
    for (const cursor of [undefined, behind]) {
      const entries = await later.feed.after(cursor, { topic: 'notes' });
      expect((await entries.next()).value).toMatchObject({ payload: 'new' });
      await entries.return();
    }
    const kept = follow(later);
    await until(() => kept.seen.length === 1);
    for (const cursor of ['', 'x', 'other.0', behind.replace(/\d+$/, '99')])
      expect(await isExpired(later, cursor, 'notes')).toBe(true);
    await later.stop();
  });

  test('a topic that no feature declares is named', async () => {
    const service = await start({ env: await envFor() });
    const feed = service.feed as { append(topic: string, payload: unknown): Promise<void> };
    await expect(feed.append('others', 1)).rejects.toThrow('no feature declares the topic others');
    await service.stop();
  });
}

describe('in SQLite', () => keepPromises(() => Promise.resolve({})));

describeWith(['PostgreSQL'], 'in PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  keepPromises(async () => ({ DATABASE_URL: await postgres.createDatabase() }));

  test('a transaction that is slower than a later one loses nothing', async () => {
    const service = await start({ env: { DATABASE_URL: await postgres.createDatabase() } });
    const reader = follow(service);
    let commit = () => {};
    const slow = service.transaction(async ({ feed }) => {
      await feed.append('changes', change(1, 'slow'));
      await new Promise<void>((resolve) => (commit = resolve));
    });
    await service.feed.append('changes', change(2));
    await until(() => reader.seen.length === 1);
    commit();
    await slow;
    await until(() => reader.seen.length === 2);
    expect(reader.seen.map(({ loan }) => loan)).toEqual([2, 1]);
    await service.stop();
  });

  test('two transactions that change one row appear in the order in which they changed it', async () => {
    const service = await start({ env: { DATABASE_URL: await postgres.createDatabase() } });
    await service.store.create(1, 1, '2026-12-01T00:00:00Z');
    const begun: string[] = [];
    const changeIt = (state: string, first: Promise<unknown> = Promise.resolve()) =>
      service.transaction(async ({ feed, store }) => {
        // Appended before the row is changed.
        await feed.append('changes', change(1, state));
        begun.push(state);
        await first;
        await store.cancel(1n, state, new Date(service.now()));
      });
    const both = [
      changeIt(
        'second',
        until(() => begun.length === 2).then(() => sleep(100)),
      ),
      changeIt('first'),
    ];
    await Promise.all(both);
    const reader = follow(service);
    await until(() => reader.seen.length === 2);
    expect(reader.seen.map(({ state }) => state)).toEqual(['first', 'second']);
    await service.stop();
  });
});
