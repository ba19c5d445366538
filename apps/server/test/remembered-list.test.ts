import { createOrderList } from '../src/orders/order-list.ts';
import { openSqliteStore } from '../src/store/open-sqlite-store.ts';
import { openPostgresStore } from '../src/store/open-postgres-store.ts';
import { startPostgres } from './support/postgres.ts';
import { shared } from './support/shared.ts';
import { until } from './support/until.ts';
import { describeWith } from '@petstore/local-stack';
import { describeRememberedList } from './suites/remembered-list.ts';

describeRememberedList(
  'SQLite',
  () => Promise.resolve({}),
  ({ dataDir }) => Promise.resolve(openSqliteStore(dataDir)),
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
      revision: () => {
        state.questions += 1;
        return Promise.resolve(state.revision);
      },
      jsonBatches: () => {
        state.reads += 1;
        return oneBatch();
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
