import path from 'node:path';
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
import type { Background, Services } from '../../src/index.ts';
import { addingLoansOf } from '../library/working-alone.ts';
import { library } from '../library/library.ts';
import type { LoanStore } from '../library/loan-store.ts';
import { startOnSmallDisk } from '../support/small-disk.ts';
import { createTestTools } from '../support/tools.ts';

/* Work with `once: true` while PostgreSQL fails over, hangs or becomes read-only, and while a process is stopped. */

function libraryWith(background: Background<Services<LoanStore>>) {
  const { loans, others } = library.features;
  return createTestTools({ ...library, features: { loans: { ...loans, background }, others } });
}

/** Starts instances with work that lasts until its signal aborts, and records which ones are at work. */
function createInstances(handsOver: boolean) {
  const running = new Set<string>();
  const starts: string[] = [];
  let mostAtOnce = 0;
  return {
    running,
    starts,
    mostAtOnce: () => mostAtOnce,
    start: (name: string, database: string, port: number) => {
      const url = new URL(database);
      url.port = String(port);
      const { startTestService } = libraryWith({
        once: true,
        async run(_services, signal) {
          running.add(name);
          starts.push(name);
          mostAtOnce = Math.max(mostAtOnce, running.size);
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          running.delete(name);
        },
      });
      const env = { DATABASE_URL: url.href };
      return startTestService({ background: true, handsOver, dataDir: newFolder(), env });
    },
  };
}

describeWith(['PostgreSQL'], 'work of one instance at a time on PostgreSQL', () => {
  test('runs on one at a time after a failover by name, although the old primary goes on', async () => {
    const primary = await startPostgres();
    const name = await startRelay(primary.port);
    const database = await primary.createDatabase();
    const { start, running, starts, mostAtOnce } = createInstances(true);
    await start('first', database, name.port);
    await until(() => running.size === 1);
    // It waits for the lock on a connection to the old primary.
    await start('second', database, name.port);
    const standby = await startPostgres({ standbyOf: primary.port });
    await standby.run('SELECT pg_promote()');
    name.moveTo(standby.port);
    await start('third', database, name.port);
    await until(() => starts.length === 2);
    expect(starts[1]).not.toBe('first');
    expect(mostAtOnce()).toBe(1);
    const locks = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted`;
    expect(
      await standby.run(locks, database.replace(String(primary.port), String(standby.port))),
    ).toHaveLength(1);
  });

  test('stops while its server is read-only, and starts again', async () => {
    const postgres = await startPostgres();
    const database = await postgres.createDatabase();
    const { start, running, starts } = createInstances(false);
    await start('first', database, postgres.port);
    await until(() => running.size === 1);
    const setReadOnly = async (value: 'on' | 'off') => {
      await postgres.run(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await postgres.run('SELECT pg_reload_conf()');
    };
    await setReadOnly('on');
    await until(() => running.size === 0);
    await setReadOnly('off');
    await until(() => running.size === 1);
    expect(starts).toEqual(['first', 'first']);
  });

  test('moves to another instance if its connection hangs and is never closed', async () => {
    const postgres = await startPostgres();
    const relay = await startRelay(postgres.port);
    const database = await postgres.createDatabase();
    const { start, running, starts, mostAtOnce } = createInstances(false);
    await start('first', database, relay.port);
    await until(() => running.size === 1);
    await start('second', database, postgres.port);
    relay.hang();
    await until(() => starts.length === 2);
    expect([starts[1], mostAtOnce()]).toEqual(['second', 1]);
    relay.resume();
  });

  /** An instance in its own process, which has begun to add loans of the book 1, and what adds those of the book 2. */
  async function startAdding(...modules: string[]) {
    const postgres = await startPostgres();
    const DATABASE_URL = await postgres.createDatabase();
    const file = path.join(__dirname, '../library/working-alone.ts');
    const imports = ['tsx', ...modules].flatMap((name) => ['--import', name]);
    const holder = startProcess(process.execPath, [...imports, file], {
      env: { PATH: process.env['PATH'], DATABASE_URL, DATA_DIR: newFolder(), BOOK: '1' },
    });
    stopAtEnd('service', () => holder.kill('SIGKILL'));
    await originOf(holder);
    const books = async () => {
      const sql = 'SELECT book_id FROM loans ORDER BY id';
      const rows = await postgres.run<{ book_id: string }>(sql, DATABASE_URL);
      return rows.map(({ book_id }) => Number(book_id));
    };
    await until(async () => (await books()).includes(1));
    const { startTestService } = libraryWith(addingLoansOf(2, ({ aborted }) => aborted));
    const startSecond = () =>
      startTestService({ background: true, dataDir: newFolder(), env: { DATABASE_URL } });
    return { holder, startSecond, books };
  }

  test('moves to another instance if its process is killed', async () => {
    const { holder, startSecond, books } = await startAdding();
    await startSecond();
    expect(await books()).not.toContain(2);
    await holder.kill('SIGKILL');
    await until(async () => (await books()).includes(2));
  });

  test('moves to another instance if its process is stopped, which then changes nothing in a transaction', async () => {
    const { holder, startSecond, books } = await startAdding();
    holder.child.kill('SIGSTOP');
    await startSecond();
    await until(async () => (await books()).includes(2));
    holder.child.kill('SIGCONT');
    const before = (await books()).length;
    await until(async () => (await books()).length > before + 20);
    const all = await books();
    expect(all.slice(all.indexOf(2)).filter((book) => book === 1)).toEqual([]);
  });

  test('stays with its instance if the clock of that steps', async () => {
    const steps = 'const now = Date.now; Date.now = () => now() + Math.round((Math.random() - 0.5) * 1e9);';
    const { startSecond, books } = await startAdding(`data:text/javascript,${steps}`);
    await startSecond();
    const before = (await books()).length;
    // The second one asks for the lock each second, and the first one looks for it every 3.
    await until(async () => (await books()).length > before + 50);
    expect(await books()).not.toContain(2);
  });
});

describeWith(
  ['PostgreSQL', 'unshare'],
  'work of one instance at a time, while the disk of PostgreSQL is full,',
  () => {
    test('is tried again until it succeeds', async () => {
      const { url, query, fill, empty } = await startOnSmallDisk();
      const { startTestService } = libraryWith(addingLoansOf(1, ({ aborted }) => aborted));
      const service = await startTestService({ background: true, env: { DATABASE_URL: url } });
      const count = async () => (await query('SELECT FROM loans')).rowCount ?? 0;
      await until(async () => (await count()) > 0);
      await fill();
      await until(() => service.messages('background work crashed').length > 0);
      const before = await count();
      await empty();
      await until(async () => (await count()) > before);
    });
  },
);
