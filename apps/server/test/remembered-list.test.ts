import { createOrderList } from '../src/orders/order-list.ts';
import { describeWith } from '@kit/local-stack';
import { startPostgres, shared, until } from '@kit/server/testing';
import { describeRememberedList } from './suites/remembered-list.ts';
import { breakTable, openPostgresStore, openSqliteStore } from './support/petstore.ts';
import { startTestService } from './support/service.ts';

describeRememberedList(
  'SQLite',
  () => Promise.resolve({}),
  ({ dataDir }) => openSqliteStore(dataDir),
);

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  let url: string;

  describeRememberedList(
    'PostgreSQL',
    async () => ({ DATABASE_URL: (url = await postgres.createDatabase()) }),
    () => openPostgresStore({ url, onError: () => {} }),
  );
});

describe('reading the list', () => {
  async function* oneBatch() {
    yield await Promise.resolve('{"id":1}');
  }

  function source() {
    const state = { revision: 1, reads: 0, questions: 0 };
    const list = createOrderList({
      batchTurn: () => Promise.resolve(),
      store: {
        revision: () => {
          state.questions += 1;
          return Promise.resolve(state.revision);
        },
        jsonBatches: () => {
          state.reads += 1;
          return oneBatch();
        },
      },
    });
    return { state, list };
  }

  test('is done once for as many requests as come while nothing changes, and again after a change', async () => {
    const { state, list } = source();
    await Promise.all(Array.from({ length: 50 }, () => list()));
    await list();
    expect(state.reads).toBe(1);
    // Once for the fifty that came at once, once for the one after them.
    expect(state.questions).toBe(2);
    state.revision = 2;
    const { content } = await list();
    expect(String(content as Buffer)).toBe('[{"id":1}]');
    expect(state.reads).toBe(2);
  });

  test('does not join a reading that began before the change', async () => {
    const { state, list } = source();
    const before = list();
    await until(() => state.reads === 1);
    state.revision = 2;
    const after = list();
    await Promise.all([before, after]);
    expect(state.reads).toBe(2);
  });
});

test('the list is 503 while its revision cannot be read, also when it is remembered', async () => {
  const service = await startTestService();
  const key = await service.key();
  expect((await service.list(key)).status).toBe(200);
  const repair = breakTable(service.dataDir, 'orders_revision');
  expect((await service.list(key)).status).toBe(503);
  repair();
  expect((await service.list(key)).status).toBe(200);
});
