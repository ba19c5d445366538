import { describeWith } from '@kit/local-stack';
import type { Loan } from './library/loan-store.ts';
import { expectError, startTestService } from './library/service.ts';
import { shared, startPostgres } from './support/index.ts';

/* The library itself, with which the kit's server is tested. */

function describeLibrary(engine: string, env: () => Promise<Record<string, string>>): void {
  test(`loans in ${engine} are created, listed and cancelled, until they are returned`, async () => {
    const service = await startTestService({ env: await env() });
    const key = await service.key();
    await service.addLoans([{ id: 1, bookId: 12, returned: true }]);
    const created = await service.request('/v1/loans', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: '{"bookId":7}',
    });
    const loan = { bookId: 7, days: 14, dueDate: '2026-12-05T12:00:00.000Z' };
    const { id, ...rest } = (await created.json()) as Loan;
    expect([created.status, rest]).toEqual([201, loan]);

    for (let times = 0; times < 2; times += 1) expect((await service.cancel(id, key)).status).toBe(204);
    await expectError(await service.cancel(1, key), 'loan_already_returned');
    await expectError(await service.cancel(2n ** 63n - 1n, key), 'loan_not_found');
    expect(await service.cancelled()).toEqual([id]);
    expect(await (await service.list(key)).json()).toEqual([
      { id: 1, bookId: 12, returned: true },
      { id, ...loan },
    ]);
  });
}

describeLibrary('SQLite', () => Promise.resolve({}));

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeLibrary('PostgreSQL', async () => ({ DATABASE_URL: await postgres.createDatabase() }));
});
