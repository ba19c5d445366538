import { describeWith } from '@contract-kit/local-stack';
import { Counter } from 'prom-client';
import { ConstraintError, defineService, type Database, type Feature, type Services } from '../src/index.ts';
import type { AnyHandler } from '../src/pipeline/dispatch.ts';
import { contractFrom } from './library/contract-from.ts';
import { shared, startPostgres } from '@contract-kit/local-stack/testing';
import { toolsOf } from './support/tools.ts';
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
    migrations: migrationsWith('CREATE TABLE fines (id bigint PRIMARY KEY)'),
    open: fineStore,
    handlers: (services) => ({ payFine: handle(services) }),
  };
  const rest = { version: '1.0.0', description: 'A desk.' };
  // @ts-expect-error -- a feature needs the store of another, which is not part of the service.
  defineService(contract, { fines }, rest);
  return defineService(contract, { fines, members }, rest);
}

const start = (handle: Parameters<typeof deskWith>[0], env: Record<string, string> = {}) =>
  toolsOf(deskWith(handle)).startTestService({ env });

const pay = (service: Awaited<ReturnType<typeof start>>) => service.request('/fines', { method: 'POST' });

function describeTransactions(engine: string, envOf: () => Promise<Record<string, string>>): void {
  describe(`services on ${engine}`, () => {
    test('friction 15: a handler changes the stores of two features in one transaction, or neither', async () => {
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

test('friction 10: a metric of a feature is in /metrics, and its log names it', async () => {
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
