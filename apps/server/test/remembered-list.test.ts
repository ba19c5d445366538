import { describeWith } from '@kit/local-stack';
import { startPostgres, shared } from '@kit/server/testing';
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

test('the list is 503 while its revision cannot be read, also when it is remembered', async () => {
  const service = await startTestService();
  const key = await service.key();
  expect((await service.list(key)).status).toBe(200);
  const repair = breakTable(service.dataDir, 'orders_revision');
  expect((await service.list(key)).status).toBe(503);
  repair();
  expect((await service.list(key)).status).toBe(200);
});
