import path from 'node:path';
import { describeWith } from '@kit/local-stack';
import { ConstraintError } from '../src/database/constraint-error.ts';
import { openPostgresDatabase } from '../src/database/postgres/database.ts';
import { postgresSql } from '../src/database/postgres/sql.ts';
import type { Database } from '../src/database/sql.ts';
import { openDatabase } from '../src/database/sqlite/database.ts';
import { sqliteSql } from '../src/database/sqlite/sql.ts';
import { newFolder, startPostgres, shared } from './support/index.ts';
import { startTestService } from './library/service.ts';

interface Opened {
  readonly database: Database;
  readonly close: () => unknown;
}

/** Tests what features rely on, on every engine. */
function describeDatabase(engine: string, open: () => Promise<Opened>): void {
  describe(`a database in ${engine}`, () => {
    let opened: Opened;
    let database: Database;

    beforeAll(async () => {
      opened = await open();
      ({ database } = opened);
      await database.query('CREATE TABLE shelf (id bigint PRIMARY KEY)');
      await database.query(`CREATE TABLE book (id bigint PRIMARY KEY, title text NOT NULL UNIQUE,
        copies bigint CHECK (copies >= 0), shelf bigint REFERENCES shelf (id))`);
      await database.query(`INSERT INTO book (id, title, copies) VALUES (1, 'One', 0)`);
    });

    afterAll(() => opened.close());

    const copies = async () =>
      (await database.query<{ copies: number }>('SELECT copies FROM book'))[0]?.copies;
    const titles = async () =>
      (await database.query<{ title: string }>('SELECT title FROM book ORDER BY id')).map(
        ({ title }) => title,
      );

    test.each([
      ['unique', `INSERT INTO book (id, title) VALUES (2, 'One')`],
      ['unique', `INSERT INTO book (id, title) VALUES (1, 'Two')`],
      ['check', 'UPDATE book SET copies = -1'],
      ['foreign key', 'UPDATE book SET shelf = 7'],
      ['not null', 'INSERT INTO book (id) VALUES (2)'],
    ])('throws a ConstraintError for a violated %s constraint: %s', async (constraint, sql) => {
      const error: unknown = await database.query(sql).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ConstraintError);
      expect(error).toMatchObject({ constraint });
      expect(await titles()).toEqual(['One']);
    });

    test('commits all of a transaction, or nothing', async () => {
      const add = (title: string, last: string) =>
        database.transaction(async (query) => {
          await query('INSERT INTO book (id, title) SELECT max(id) + 1, $1 FROM book', [title]);
          expect(await titles()).toEqual(['One']);
          await query('INSERT INTO book (id, title) SELECT max(id) + 1, $1 FROM book', [last]);
          return 'done';
        });
      await expect(add('Two', 'One')).rejects.toBeInstanceOf(ConstraintError);
      expect(await titles()).toEqual(['One']);
      expect(await add('Two', 'Three')).toBe('done');
      expect(await titles()).toEqual(['One', 'Two', 'Three']);
      await database.query('DELETE FROM book WHERE id > 1');
    });

    test('prevents lost updates between two transactions', async () => {
      const count = () =>
        database.transaction(async (query) => {
          const lock = engine === 'PostgreSQL' ? 'FOR UPDATE' : '';
          const [book] = await query<{ copies: number }>(`SELECT copies FROM book WHERE id = 1 ${lock}`);
          await query('UPDATE book SET copies = $1 WHERE id = 1', [Number(book?.copies) + 1]);
        });
      await Promise.all(Array.from({ length: 5 }, count));
      expect(await copies()).toBe(5);
    });
  });
}

describeDatabase('SQLite', () => {
  const file = openDatabase(path.join(newFolder(), 'test.db'), { synchronous: 'FULL', busyTimeout: 5 });
  const database = sqliteSql(file, 5);
  return Promise.resolve({ database, close: () => [database.close(), file.close()] });
});

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);

  describeDatabase('PostgreSQL', async () => {
    const database = openPostgresDatabase({ applicationName: 'test', url: await postgres.createDatabase() });
    return { database: postgresSql(database), close: () => database.close() };
  });
});

test('an unexpected constraint violation is a 500, and the service stays ready', async () => {
  const listLoans = () => Promise.reject(new ConstraintError('unique', 'test'));
  const service = await startTestService({ handlers: { listLoans } });
  expect((await service.list(await service.key())).status).toBe(500);
  expect(await service.readiness()).toEqual([200, undefined]);
});
