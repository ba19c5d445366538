import { openSqlite } from '../../src/database/sqlite/driver.ts';
import { rateLimitIn, until } from '@contract-kit/test-support/testing';
import { startTestService, type TestService, filesIn, expectError, breakTable } from '../library/service.ts';

let service: TestService;
let key: string;

beforeEach(async () => {
  service = await startTestService();
  key = await service.key();
  await service.addLoans([{ id: 1 }, { id: 2 }]);
});
const list = () => service.list(key);
const cancel = () => service.cancel(1, key);
const take = (table: string) => breakTable(service.dataDir, table);

async function expectUnavailable(response: Response): Promise<void> {
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(response.headers.has('www-authenticate')).toBe(false);
  await expectError(response, 'service_unavailable');
}

test('a key that cannot be looked up gets 503 with Retry-After, never 401, and only the log has the reason', async () => {
  const repair = take('api_keys');
  for (const response of [await list(), await cancel()]) {
    expect(await response.clone().text()).not.toMatch(/sqlite|table|api_keys/i);
    await expectUnavailable(response);
  }
  // Without a key there is no lookup.
  for (const none of ['', 'junk']) await expectError(await service.list(none), 'unauthorized');
  repair();
  expect((await list()).status).toBe(200);
  expect(JSON.stringify(service.logged)).toContain('no such table');
});

test('requests get 503 and are not counted while keys cannot be looked up', async () => {
  const repair = take('api_keys');
  for (let count = 0; count < 70; count += 1) expect((await list()).status).toBe(503);
  repair();
  expect(rateLimitIn((await service.list()).headers).remaining).toBe(59);
});

test('unreadable loans cause 503, and the service recovers', async () => {
  const repair = take('loans');
  await expectUnavailable(await list());
  await expectUnavailable(await cancel());
  repair();
  expect((await list()).status).toBe(200);
  expect((await cancel()).status).toBe(204);
});

test('the log has each reason once until the database is back, although they take turns', async () => {
  const unknown = await service.key();
  // Now the key is known for a while.
  expect((await cancel()).status).toBe(204);
  const repairs = [take('api_keys'), take('loans')];
  for (let times = 0; times < 3; times += 1) {
    await expectUnavailable(await service.list(unknown));
    await expectUnavailable(await cancel());
  }
  for (const repair of repairs) repair();
  await until(() => service.messages('database').at(-1)?.startsWith('database back') === true);
  take('loans');
  await expectUnavailable(await cancel());
  // The check of each second reads other tables: on a busy machine the database is back between these requests, too.
  const outages = service.messages('database').join('\n').split('database back: requests are served again');
  expect(outages.length).toBeGreaterThan(1);
  expect(outages.at(-1)).toContain('no such table: loans');
  for (const outage of outages) {
    const reasons = outage.trim().split('\n');
    expect(reasons).toEqual([...new Set(reasons)]);
  }
});

/** Holds the write lock while `work` runs, as an import in another process does. */
async function underWriteLock(work: () => Promise<void>): Promise<void> {
  const other = openSqlite(filesIn(service.dataDir).store);
  other.exec('BEGIN IMMEDIATE');
  try {
    await work();
  } finally {
    other.close();
  }
}

test('while another process holds the write lock, a cancel waits and everything else works', async () => {
  const cancelUnderLock = async () => {
    let waiting = Promise.resolve(0);
    await underWriteLock(async () => {
      waiting = cancel().then(({ status }) => status);
      for (let index = 0; index < 3; index += 1) expect((await list()).status).toBe(200);
      expect(await Promise.race([waiting, Promise.resolve()])).not.toBe(204);
    });
    return waiting;
  };
  // On a busy machine the lists may take longer than a cancel waits.
  await until(async () => (await cancelUnderLock()) === 204);
});

test('a permanent write lock fails only cancels, with 503, and changes no loan', async () => {
  await underWriteLock(async () => {
    await expectUnavailable(await cancel());
    expect(await service.readiness()).toEqual([200, undefined]);
  });
  expect(await service.cancelled()).toEqual([]);
});

test('the log says once why the last use of a key could not be stored', async () => {
  expect((await list()).status).toBe(200);
  take('api_keys');
  await service.stop();
  const { err } = service.logged.find(({ msg }) => msg === 'the last use of keys could not be stored') ?? {};
  expect(err).toMatchObject({ message: 'no such table: api_keys' });
});

test('an unexpected error becomes 500: the log has all of it, the response no details', async () => {
  await service.store.close();
  for (const request of [list, cancel]) {
    const response = await request();
    expect(await response.clone().text()).not.toContain('connection');
    await expectError(response, 'internal_error');
  }
  expect(JSON.stringify(service.logged)).toContain('database is not open');
});
