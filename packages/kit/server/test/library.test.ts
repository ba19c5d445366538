import { describeWith } from '@contract-kit/test-support';
import type { Loan, LoanStore } from './library/loan-store.ts';
import { expectError, startTestService, storedLoans } from './library/service.ts';
import { shared, startPostgres } from '@contract-kit/test-support/testing';
import { importItems } from '@contract-kit/test-support/testing';

/* The library, the service that tests the kit's server. */

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
    const { id = 0, ...rest } = (await created.json()) as Loan;
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

  test(`a text with U+0000, which ${engine} cannot store, is rejected with 400, and changes nothing`, async () => {
    const service = await startTestService({
      env: await env(),
      handlers: {
        createBook: async ({ body: { name } }: { body: { name: string } }) => {
          await service.store.features.loans.cancel(1n, name, new Date());
          return { status: 201, body: { id: 1, kind: 'novel', name } };
        },
      },
      validatesResponses: false,
    });
    await service.addLoans([{ id: 1 }]);
    const key = await service.unlimitedKey();
    const create = (name: string) =>
      service.request('/v1/books', {
        method: 'POST',
        key,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a',
        },
        body: JSON.stringify({ name, kind: 'novel', author: null, price: 100 }),
      });
    const response = await create('a\0b');
    expect(await response.clone().text()).toContain('U+0000, which cannot be stored');
    await expectError(response, 'invalid_request');
    expect(await service.cancelled()).toEqual([]);
    expect(service.logged.filter(({ level }) => Number(level) > 40)).toEqual([]);
    expect((await create('a')).status).toBe(201);
    expect(await service.cancelled()).toEqual([1]);
  });

  describe(`an import into ${engine}`, () => {
    let loans: LoanStore;

    beforeEach(async () => {
      loans = (await startTestService({ env: await env() })).store.features.loans;
    });
    const all = () => storedLoans(loans);

    test('gives a loan without an id the next id above all others', async () => {
      await importItems(loans, [{ bookId: 1 }, { id: 40, bookId: 2 }, { bookId: 3 }]);
      expect(await all()).toEqual([
        { id: 40, bookId: 2 },
        { id: 41, bookId: 1 },
        { id: 42, bookId: 3 },
      ]);
      await importItems(loans, [{ bookId: 4 }]);
      expect((await all()).at(-1)).toEqual({ id: 43, bookId: 4 });
    });

    test('stores nothing if ids exist already, and names each with its line', async () => {
      await importItems(loans, [{ id: 1 }, { id: 2 }]);
      const underway = await loans.beginImport();
      await underway.stage([3, 2, 1].map((id, index) => ({ id, line: index + 1 })));
      expect(await underway.commit()).toEqual([
        { line: 2, id: 2 },
        { line: 3, id: 1 },
      ]);
      expect(await all()).toEqual([{ id: 1 }, { id: 2 }]);
    });

    test('shows nothing before the commit, or after a rollback', async () => {
      const underway = await loans.beginImport();
      await underway.stage([{ id: 1, line: 1 }]);
      expect(await all()).toEqual([]);
      await underway.abandon();
      expect(await all()).toEqual([]);
      await importItems(loans, [{ id: 1 }]);
    });
  });
}

describeLibrary('SQLite', () => Promise.resolve({}));

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeLibrary('PostgreSQL', async () => ({ DATABASE_URL: await postgres.createDatabase() }));
});
