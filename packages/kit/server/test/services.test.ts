import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@contract-kit/test-support';
import { Counter } from 'prom-client';
import { ConstraintError, defineService, type Database, type Feature, type Services } from '../src/index.ts';
import type { AnyHandler } from '../src/pipeline/dispatch.ts';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { shared, startPostgres } from '@contract-kit/test-support/testing';
import { createTestTools } from './support/tools.ts';
import { migrationsWith } from './support/migrations.ts';

/* Two features, of which one uses the store of the other. */

const contract = contractFrom(`
openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
paths:
  /fines:
    post:
      operationId: payFine
      responses: { '204': { description: Paid. }, '409': { description: Paid already. } }
`);

const memberStore = ({ query }: Database) => ({
  owing: async () => (await query<{ owing: number }>('SELECT owing FROM members'))[0]?.owing,
  pay: (amount: number) => query('UPDATE members SET owing = owing - $1', [amount]),
});

const fineStore = ({ query }: Database) => ({
  run: (sql: string, values?: string[]) => query(sql, values),
  count: async () => (await query<{ count: number }>('SELECT count(*) AS count FROM fines'))[0]?.count,
  /** False if there is this fine already. */
  add: (id: number) =>
    query('INSERT INTO fines (id) VALUES ($1)', [id]).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ConstraintError) return false;
        throw error;
      },
    ),
});

type MemberStore = ReturnType<typeof memberStore>;
type FineStore = ReturnType<typeof fineStore>;
interface Needed {
  stores: { members: MemberStore };
}

function deskWith(handle: (services: Services<FineStore, Needed>) => AnyHandler) {
  const members: Feature<MemberStore, object> = {
    migrations: migrationsWith(
      'CREATE TABLE members (owing bigint NOT NULL); INSERT INTO members VALUES (10)',
    ),
    open: memberStore,
    handlers: () => ({}),
  };
  const fines: Feature<FineStore, Record<string, AnyHandler>, Needed> = {
    migrations: migrationsWith({
      sqlite: 'CREATE TABLE fines (id integer NOT NULL UNIQUE) STRICT',
      postgres: 'CREATE TABLE fines (id bigint PRIMARY KEY)',
    }),
    open: fineStore,
    handlers: (services) => ({ payFine: handle(services) }),
  };
  const rest = { version: '1.0.0', description: 'A desk.' };
  // @ts-expect-error -- a feature needs the store of another, which is not part of the service.
  defineService(contract, { fines }, rest);
  return defineService(contract, { fines, members }, rest);
}

const start = (handle: Parameters<typeof deskWith>[0], env: Record<string, string> = {}) =>
  createTestTools(deskWith(handle)).startTestService({ env });

const pay = (service: Awaited<ReturnType<typeof start>>) => service.request('/fines', { method: 'POST' });

function describeTransactions(engine: string, envOf: () => Promise<Record<string, string>>): void {
  describe(`services on ${engine}`, () => {
    test('a handler changes the stores of two features in one transaction, or neither', async () => {
      const service = await start(
        ({ transaction }) =>
          () =>
            transaction(async ({ store, stores }) => {
              await stores.members.pay(4);
              if (!(await store.add(1))) throw new Error('there is one already');
              return { status: 204 };
            }),
        await envOf(),
      );
      const { members, fines } = service.store.features;
      const state = async () => [await members.owing(), await fines.count()];
      expect((await pay(service)).status).toBe(204);
      expect(await state()).toEqual([6, 1]);
      expect((await pay(service)).status).toBe(500);
      expect(await state()).toEqual([6, 1]);
    });

    // docs/guide/transactions.md
    const effect = engine === 'SQLite' ? 'run one after the other' : 'run at once, so one change is lost';
    test(`two transactions that read a row and then write it ${effect}`, async () => {
      const reads: unknown[] = [];
      let bothHaveRead = () => {};
      const both = new Promise<void>((resolve) => (bothHaveRead = resolve));
      const service = await start(
        ({ transaction }) =>
          () =>
            transaction(async ({ store, stores }) => {
              const owing = Number(await stores.members.owing());
              if (reads.push(owing) === 2) bothHaveRead();
              await (engine === 'SQLite' ? sleep(50) : both);
              await store.run('UPDATE members SET owing = $1', [String(owing - 4)]);
              return { status: 204 };
            }),
        await envOf(),
      );
      const statuses = (await Promise.all([pay(service), pay(service)])).map(({ status }) => status);
      expect(statuses).toEqual([204, 204]);
      reads.push(await service.store.features.members.owing());
      expect(reads).toEqual(engine === 'SQLite' ? [10, 6, 2] : [10, 10, 6]);
    });

    describe.each(['alone', 'in a transaction'])('a statement %s', (where) => {
      let statement: readonly [sql: string, values?: string[]];
      let service: Awaited<ReturnType<typeof start>>;
      beforeAll(async () => {
        service = await start(
          ({ store: alone, transaction }) =>
            async () => {
              if (where === 'alone') await alone.run(...statement);
              else await transaction(({ store }) => store.run(...statement));
              return { status: 204 };
            },
          await envOf(),
        );
      });

      test.each([
        ['a column that is read', 'SELECT gone FROM fines', /column.*gone/],
        ['a column that is written', 'INSERT INTO fines (gone) VALUES (1)', /column.*gone/],
        ['a function', 'SELECT gone(id) FROM fines', /function.*gone/],
        ['the syntax', 'SELEC id FROM fines', /syntax/],
        ['the type of a value', 'INSERT INTO fines (id) VALUES ($1)', /bigint|TEXT value/, ['one']],
        ['the number of values', 'INSERT INTO fines (id) VALUES ($1)', /bind|\$1|needs 1 values/, []],
      ])(
        'with a mistake in %s is a 500 with its message in the log',
        async (_, sql, message, values: string[] = []) => {
          statement = [sql, values];
          service.logged.length = 0;
          const response = await pay(service);
          expect([response.status, response.headers.get('retry-after')]).toEqual([500, null]);
          const err = expect.objectContaining({
            message: expect.stringMatching(message) as string,
          }) as unknown;
          expect(service.logged).toContainEqual(expect.objectContaining({ level: 50, err }));
          expect(service.messages('database lost')).toEqual([]);
          expect(await service.readiness()).toEqual([200, undefined]);
        },
      );

      test('on a table that is gone is a 503, because it may come back', async () => {
        statement = ['SELECT id FROM gone'];
        const response = await pay(service);
        expect([response.status, response.headers.has('retry-after')]).toEqual([503, true]);
        expect(service.messages('database lost')).toHaveLength(1);
      });
    });
  });
}

describeTransactions('SQLite', () => Promise.resolve({}));

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeTransactions('PostgreSQL', async () => ({ DATABASE_URL: await postgres.createDatabase() }));

  test('a connection that a handler keeps does not hold the stop up', async () => {
    const env = { DATABASE_URL: await postgres.createDatabase(), SHUTDOWN_GRACE_SECONDS: '1' };
    const service = await start(
      ({ transaction }) =>
        () =>
          transaction(() => new Promise(() => undefined)),
      env,
    );
    await Promise.all([
      expect(pay(service)).rejects.toThrow(),
      new Promise((resolve) => setTimeout(resolve, 500)).then(() => service.stop()),
    ]);
  });
});

test('a metric of a feature is in /metrics, and its log names it', async () => {
  const service = await start(({ metrics, log }) => {
    const paid = new Counter({ name: 'fines_paid_total', help: 'Fines.', registers: [metrics] });
    return () => {
      paid.inc();
      log.info('paid');
      return { status: 204 };
    };
  });
  await pay(service);
  expect(await (await service.request('/metrics')).text()).toContain('\nfines_paid_total 1\n');
  expect(service.logged).toContainEqual(expect.objectContaining({ msg: 'paid', feature: 'fines' }));
});
