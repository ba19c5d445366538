import { describeWith } from '@contract-kit/test-support';
import { shared, startPostgres } from '@contract-kit/test-support/testing';
import { mainOf, namedIn, withPage } from '../support/page-service.ts';

/* The service of docs/guide/transactions.md: requests at the same time lose no change. */

const TABLE = `CREATE TABLE items (id text PRIMARY KEY, pieces integer NOT NULL, name text NOT NULL, version integer NOT NULL);
INSERT INTO items VALUES ('a', 100, 'A', 1), ('b', 0, 'B', 1), ('few', 5, 'Few', 1);
`;
/** Whatever reads without a lock then reads before another writes. */
const SLOW = `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END';
CREATE TRIGGER slow BEFORE UPDATE ON items FOR EACH ROW EXECUTE FUNCTION wait();
`;
const FILES = {
  ...namedIn('transactions'),
  'migrations/sqlite/0001-items.sql': TABLE,
  'migrations/postgres/0001-items.sql': TABLE + SLOW,
  'main.ts': mainOf('Depot', '{ items }', "import { items } from './items.ts';"),
};

/** The statuses of ten requests at the same time, by rank. */
const ten = async (request: () => Promise<Response>) =>
  (await Promise.all(Array.from({ length: 10 }, request))).map(({ status }) => status).sort();
const repeated = (status: number, count: number) => Array.from({ length: count }, () => status);

const expectNoLoss = (settings: Record<string, string> = {}) =>
  withPage(
    'transactions',
    'depot',
    FILES,
    async ({ key, origin }) => {
      const send = (method: string, target: string, body: string, headers: Record<string, string>) =>
        fetch(origin + target, { method, body, headers: { authorization: `Bearer ${key}`, ...headers } });
      const post = (target: string, pieces: number) =>
        send('POST', target, String(pieces), { 'content-type': 'application/json' });
      const rename = (version: string) =>
        send('PUT', '/items/a/name', 'C', { 'content-type': 'text/plain', 'if-match': version });

      expect(await ten(() => post('/items/few/withdrawals', 3))).toEqual([204, ...repeated(409, 9)]);
      expect(await ten(() => rename('"1"'))).toEqual([204, ...repeated(412, 9)]);
      expect((await rename('"2"')).headers.get('etag')).toBe('"3"');
      expect(await ten(() => post('/transfers/a/b', 30))).toEqual([...repeated(204, 3), ...repeated(409, 7)]);
      // 10 are left of the one, and 90 came to the other.
      const left = ['/transfers/a/a', '/transfers/a/gone', '/items/b/withdrawals', '/items/b/withdrawals'];
      const statuses = [];
      for (const [index, target] of left.entries())
        statuses.push((await post(target, [10, 1, 90, 1][index] ?? 0)).status);
      expect(statuses).toEqual([204, 404, 204, 409]);
    },
    settings,
  );

test('no change is lost on SQLite', () => expectNoLoss(), 60_000);

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);
  test(
    'no change is lost on PostgreSQL',
    async () => expectNoLoss({ DATABASE_URL: await postgres.createDatabase() }),
    60_000,
  );
});
