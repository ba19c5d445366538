import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@contract-kit/test-support';
import {
  newFolder,
  originOf,
  shared,
  startPostgres,
  startProcess,
  startRelay,
  stopAtEnd,
  until,
} from '@contract-kit/test-support/testing';
import { atomic } from '../../src/index.ts';
import { createClock } from '../../src/testing/service.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { expectError, newKey, startTestService, storedLoans, withStore } from '../library/service.ts';
import type { TestService } from '../library/service.ts';

/* What becomes of an Idempotency-Key when the database or the process goes away. Handlers of `createBook` add a loan. */

const emma = { name: 'Emma', kind: 'novel', author: null, price: 100 };

/** Sends `createBook` with a key of its own, as often as it is called. */
function sender(apiKey: string, { name = 'Emma' } = {}) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  return (origin: string) =>
    fetch(`${origin}/v1/books`, { method: 'POST', headers, body: JSON.stringify({ ...emma, name }) });
}

/** Sends until the response is not 409 because of a request that is under way. */
async function whenFree(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    const { code } = (await response.clone().json()) as { code?: string };
    if (code !== 'idempotency_key_in_use') return response;
    await sleep(100);
  }
}

interface Steps {
  /** Called in the transaction, after the loan is added. */
  readonly inside?: () => unknown;
  readonly isAtomic?: boolean;
}

/** A service whose handler of `createBook` adds a loan in a transaction, from which it returns its response. */
async function startAdding(databaseUrl: string, { inside, isAtomic = true }: Steps = {}) {
  let calls = 0;
  const handler: AnyHandler = () => {
    calls += 1;
    return service.store.transaction(async (_stores, query) => {
      const [row] = await query<{ id: number }>('INSERT INTO loans (book_id) VALUES (1) RETURNING id');
      await inside?.();
      const id = row?.id ?? 0;
      return { status: 201, headers: { Location: `/v1/books/${id}` }, body: { ...emma, id, asked: 1 } };
    });
  };
  const createBook = isAtomic ? atomic(handler) : handler;
  const service: TestService = await startTestService({
    handlers: { createBook },
    // That of other processes.
    clock: createClock(Date.now()),
    dataDir: newFolder(),
    env: { DATABASE_URL: databaseUrl },
  });
  return { ...service, calls: () => calls };
}

describeWith(['PostgreSQL'], 'after an outage of PostgreSQL', () => {
  const postgres = shared(startPostgres);

  /** A new database, and its URL through a relay. */
  async function newDatabase() {
    const relay = await startRelay(postgres.port);
    const direct = await postgres.createDatabase();
    const url = new URL(direct);
    url.port = String(relay.port);
    const loans = async () => (await postgres.run('SELECT FROM loans', direct)).length;
    return { relay, direct, url: url.href, loans };
  }

  test.each([
    ['its connection was cut, an atomic handler runs again', true, ['goAway', 'comeBack']],
    ['its connection hung, an atomic handler runs again', true, ['hang', 'resume']],
    ['its connection was cut, another one does not', false, ['goAway', 'comeBack']],
  ] as const)('if a transaction was lost because %s', async (_, isAtomic, [away, back]) => {
    const { relay, direct, url, loans } = await newDatabase();
    let isAway = false;
    const inside = () => {
      if (!isAway) relay[away]();
      isAway = true;
    };
    const first = await startAdding(url, { inside, isAtomic });
    const other = await startAdding(direct, { isAtomic });
    const send = sender(await other.unlimitedKey());
    await expectError(await send(first.origin), 'service_unavailable');
    // Also the release of the claim has failed. After a time-out the other instance may have it already.
    if (away === 'goAway') await expectError(await send(other.origin), 'idempotency_key_in_use');
    relay[back]();
    const response = await whenFree(() => send(other.origin));
    if (isAtomic) expect(response.status).toBe(201);
    else await expectError(response, 'idempotency_response_missing');
    expect([first.calls() + other.calls(), await loans()]).toEqual(isAtomic ? [2, 1] : [1, 0]);
  });

  test.each([true, false])(
    'if the response to the claim was lost, the request runs: atomic %s',
    async (isAtomic) => {
      const { relay, direct, url, loans } = await newDatabase();
      const first = await startAdding(url, { isAtomic });
      const other = await startAdding(direct, { isAtomic });
      const [apiKey, claims] = [await other.unlimitedKey(), 'SELECT FROM idempotency_keys'];
      expect((await sender(apiKey)(first.origin)).status).toBe(201);
      const sends = [sender(apiKey), sender(apiKey)] as const;
      relay.mute();
      const lost = sends.map((send) => send(first.origin));
      await until(async () => (await postgres.run(claims, direct)).length === 3);
      for (const response of await Promise.all(lost)) await expectError(response, 'service_unavailable');
      relay.unmute();
      await until(async () => (await first.readiness())[0] === 200);
      expect((await sends[0](first.origin)).status).toBe(201);
      expect((await whenFree(() => sends[1](other.origin))).status).toBe(201);
      expect([first.calls() + other.calls(), await loans()]).toEqual([3, 3]);
    },
  );

  test.each([true, false])(
    'if the response to the commit was lost, a repeat gets that of the handler: atomic %s',
    async (isAtomic) => {
      const { relay, direct, url, loans } = await newDatabase();
      const first = await startAdding(url, { isAtomic });
      // A commit that takes time.
      await postgres.run(
        `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
         CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON loans DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION wait()`,
        direct,
      );
      const send = sender(await first.unlimitedKey());
      const lost = send(first.origin);
      const committing = `SELECT FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'`;
      await until(async () => (await postgres.run(committing, direct)).length === 1);
      relay.cut();
      await expectError(await lost, 'service_unavailable');
      const repeat = await whenFree(() => send(first.origin));
      expect([repeat.status, repeat.headers.get('location')]).toEqual([201, '/v1/books/1']);
      expect([first.calls(), await loans()]).toEqual([1, 1]);
    },
  );

  test.each([
    ['the response of a handler is stored', 201, 1],
    ['a request whose handler failed is released', 500, 2],
  ])('when the database is back, %s', async (_, status, calls) => {
    const { relay, direct, url } = await newDatabase();
    let called = 0;
    const createBook: AnyHandler = () => {
      if ((called += 1) === 1) relay.goAway();
      if (called === 1 && status === 500) throw new TypeError('the handler fails');
      return { status: 201, headers: { Location: '/v1/books/1' }, body: { ...emma, id: 1, asked: 1 } };
    };
    const start = (databaseUrl: string) =>
      startTestService({
        handlers: { createBook },
        dataDir: newFolder(),
        env: { DATABASE_URL: databaseUrl },
      });
    const [first, other] = [await start(url), await start(direct)];
    const send = sender(await other.unlimitedKey());
    expect((await send(first.origin)).status).toBe(status);
    await expectError(await send(other.origin), 'idempotency_key_in_use');
    relay.comeBack();
    expect((await whenFree(() => send(other.origin))).status).toBe(201);
    expect(called).toBe(calls);
  });

  test('an atomic handler does not run again if its transaction committed without a response', async () => {
    const { direct, loans } = await newDatabase();
    const service = await startTestService({
      env: { DATABASE_URL: direct },
      handlers: {
        createBook: atomic(async () => {
          await service.store.transaction((_stores, query) =>
            query('INSERT INTO loans (book_id) VALUES (1)'),
          );
          throw new TypeError('the handler fails after its commit');
        }),
      },
    });
    const send = sender(await service.unlimitedKey());
    await expectError(await send(service.origin), 'internal_error');
    await expectError(await send(service.origin), 'idempotency_response_missing');
    expect(await loans()).toBe(1);
  });

  test('an atomic handler cannot begin another transaction after a commit', async () => {
    const { direct, loans } = await newDatabase();
    const service = await startTestService({
      env: { DATABASE_URL: direct },
      handlers: {
        createBook: atomic(async () => {
          const add = () =>
            service.store.transaction((_stores, query) => query('INSERT INTO loans (book_id) VALUES (1)'));
          await add();
          await add();
          return { status: 201 };
        }),
      },
    });
    await expectError(await sender(await service.unlimitedKey())(service.origin), 'internal_error');
    expect(await loans()).toBe(1);
    expect(JSON.stringify(service.logged)).toContain('an atomic handler began another transaction');
  });

  test('a claim of a process that is gone is not kept alive by a clock that was ahead', async () => {
    const { direct, loans } = await newDatabase();
    const service = await startAdding(direct);
    const send = sender(await service.unlimitedKey());
    await send(service.origin);
    const hourAhead = `extract(epoch FROM now() + interval '1 h') * 1000`;
    await postgres.run(
      `DELETE FROM loans; UPDATE idempotency_keys SET claimed_until = ${hourAhead}, status = NULL`,
      direct,
    );
    expect((await send(service.origin)).status).toBe(201);
    expect(await loans()).toBe(1);
  });

  test('a handler that is not atomic may take longer than its claim lasts', async () => {
    const { direct } = await newDatabase();
    let finish: () => void = () => undefined;
    const inside = () => new Promise<void>((resolve) => (finish = resolve));
    const [service, other] = [
      await startAdding(direct, { inside, isAtomic: false }),
      await startAdding(direct, { isAtomic: false }),
    ];
    const send = sender(await service.unlimitedKey());
    const first = send(service.origin);
    await until(() => service.calls() === 1);
    // As if it had been made longer ago.
    const claims = () => postgres.run('SELECT FROM idempotency_keys WHERE claimed_until > 1', direct);
    await postgres.run('UPDATE idempotency_keys SET claimed_until = 1', direct);
    await until(async () => (await claims()).length === 1);
    await expectError(await send(other.origin), 'idempotency_key_in_use');
    finish();
    expect((await first).status).toBe(201);
    expect([service.calls(), other.calls()]).toEqual([1, 0]);
  });
});

/** A module that sets the clock of its process a day ahead. */
const DAY_AHEAD = 'data:text/javascript,const now = Date.now; Date.now = () => now() + 25 * 60 * 60 * 1000;';

/** The library with pauses, in another process, perhaps with a module that it loads first. */
async function startPausing(env: Record<string, string>, ...modules: string[]) {
  const file = path.join(__dirname, '../library/pausing.ts');
  const imports = ['tsx', ...modules].flatMap((name) => ['--import', name]);
  const running = startProcess(process.execPath, [...imports, file], {
    env: { PATH: process.env['PATH'], ATOMIC: '1', ...env },
  });
  stopAtEnd('service', () => running.kill('SIGKILL'));
  const untilPaused = () => until(() => running.output.stdout.includes('paused'));
  return { ...running, untilPaused, origin: await originOf(running) };
}

test('with SQLite, after kill -9 before the commit, an atomic handler runs again', async () => {
  const DATA_DIR = newFolder();
  const send = sender(await withStore(DATA_DIR, newKey), { name: 'before' });
  const killed = await startPausing({ DATA_DIR });
  const lost = send(killed.origin).catch(() => undefined);
  await killed.untilPaused();
  await killed.kill('SIGKILL');
  await lost;
  const restarted = await startPausing({ DATA_DIR });
  const repeat = send(restarted.origin);
  await restarted.untilPaused();
  restarted.child.kill('SIGUSR2');
  expect((await repeat).status).toBe(201);
  await restarted.kill('SIGKILL');
  const stored = await withStore(DATA_DIR, ({ features }) => storedLoans(features.loans));
  expect(stored).toHaveLength(1);
});

describe('a request that is cut at the end of the grace period of a stop', () => {
  async function cutRequest(isAtomic: boolean, env: Record<string, string> = {}) {
    const dataDir = newFolder();
    let called = 0;
    const start = (handler: AnyHandler) =>
      startTestService({
        handlers: { createBook: isAtomic ? atomic(handler) : handler },
        dataDir,
        env: { SHUTDOWN_GRACE_SECONDS: '1', ...env },
      });
    const first = await start(() => {
      called += 1;
      return new Promise(() => undefined);
    });
    const send = sender(await first.unlimitedKey());
    const cut = send(first.origin).catch(() => 'cut');
    await until(() => called === 1);
    await first.stop();
    expect(await cut).toBe('cut');
    const next = await start(() => ({
      status: 201,
      headers: { Location: '/v1/books/1' },
      body: { ...emma, id: 1, asked: 1 },
    }));
    return whenFree(() => send(next.origin));
  }

  test('runs again if its handler is atomic', async () => {
    expect((await cutRequest(true)).status).toBe(201);
  });

  test('never runs again otherwise', async () => {
    await expectError(await cutRequest(false), 'idempotency_response_missing');
  });

  describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
    const postgres = shared(startPostgres);

    test('runs again at another instance if its handler is atomic', async () => {
      const env = { DATABASE_URL: await postgres.createDatabase() };
      expect((await cutRequest(true, env)).status).toBe(201);
    });
  });
});

describeWith(['PostgreSQL'], 'with PostgreSQL, another instance runs an atomic request', () => {
  const postgres = shared(startPostgres);

  async function startBoth() {
    const DATABASE_URL = await postgres.createDatabase();
    const other = await startAdding(DATABASE_URL);
    const pausing = await startPausing({ DATABASE_URL, DATA_DIR: newFolder() });
    const loans = async () => (await postgres.run('SELECT FROM loans', DATABASE_URL)).length;
    return { other, pausing, loans, apiKey: await other.unlimitedKey() };
  }

  test('if the first one was killed before its commit', async () => {
    const { other, pausing, loans, apiKey } = await startBoth();
    const send = sender(apiKey, { name: 'before' });
    const lost = send(pausing.origin).catch(() => undefined);
    await pausing.untilPaused();
    await pausing.kill('SIGKILL');
    await lost;
    await expectError(await send(other.origin), 'idempotency_key_in_use');
    expect((await whenFree(() => send(other.origin))).status).toBe(201);
    expect(await loans()).toBe(1);
  });

  test('if the first one is stopped, whose transaction is rolled back when it goes on', async () => {
    const { other, pausing, loans, apiKey } = await startBoth();
    const send = sender(apiKey, { name: 'before' });
    const stalled = send(pausing.origin);
    await pausing.untilPaused();
    pausing.child.kill('SIGSTOP');
    const taken = await whenFree(() => send(other.origin));
    expect([taken.status, await loans()]).toEqual([201, 1]);
    pausing.child.kill('SIGCONT');
    pausing.child.kill('SIGUSR2');
    await expectError(await stalled, 'idempotency_key_in_use');
    // Its connection to the client was closed meanwhile.
    const repeat = await whenFree(() => send(pausing.origin).catch(() => send(pausing.origin)));
    expect(await repeat.json()).toEqual(await taken.json());
    expect(await loans()).toBe(1);
  });

  test('unless it has a response, also if the clock of the other instance is a day ahead', async () => {
    const DATABASE_URL = await postgres.createDatabase();
    const first = await startPausing({ DATABASE_URL, DATA_DIR: newFolder() });
    const ahead = await startPausing({ DATABASE_URL, DATA_DIR: newFolder() }, DAY_AHEAD);
    const service = await startTestService({ dataDir: newFolder(), env: { DATABASE_URL } });
    const send = sender(await service.unlimitedKey());
    const response = await (await send(first.origin)).json();
    expect(await (await send(ahead.origin)).json()).toEqual(response);
    expect(await (await send(first.origin)).json()).toEqual(response);
    expect((await postgres.run('SELECT FROM loans', DATABASE_URL)).length).toBe(1);
  });
});
