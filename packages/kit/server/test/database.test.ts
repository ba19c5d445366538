import { statSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { ConstraintError } from '../src/database/constraint-error.ts';
import { openPostgresDatabase } from '../src/database/postgres/database.ts';
import { postgresSql } from '../src/database/postgres/sql.ts';
import type { Columns } from '../src/database/columns.ts';
import type { Database, ListOptions } from '../src/database/sql.ts';
import { NulError } from '../src/database/nul-error.ts';
import { StoreUnavailable } from '../src/database/store-unavailable.ts';
import type { List } from '../src/http/list.ts';
import { openDatabase } from '../src/database/sqlite/database.ts';
import { sqliteSql } from '../src/database/sqlite/sql.ts';
import { newFolder, startPostgres, shared } from '@contract-kit/test-support/testing';
import { itemsIn } from '@contract-kit/test-support/testing';
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

    test('rejects a text with U+0000, and JSON with it if the engine does', async () => {
      const add = 'INSERT INTO book (id, title) VALUES (2, $1)';
      const rejected = [
        () => database.query(add, ['a\0b']),
        () => database.transaction((query) => query(add, ['a\0b'])),
        () => database.query('SELECT id FROM book WHERE title = $1', ['a\0b']),
        ...(engine === 'PostgreSQL' ? [() => database.query('SELECT $1::jsonb', ['"\\u0000"'])] : []),
      ];
      for (const run of rejected) await expect(run()).rejects.toBeInstanceOf(NulError);
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

    describe('a list', () => {
      interface Note {
        readonly shelf: string;
        readonly place: number;
        readonly text?: string;
        readonly read?: boolean;
      }
      const columns: Columns<Note> = {
        shelf: { column: 'shelf', holds: 'text' },
        place: { column: 'place', holds: 'integer' },
        text: { column: 'text', holds: 'text' },
        read: { column: 'is_read', holds: 'boolean' },
      };
      const numbers = Array.from({ length: 2_500 }, (_, index) => index + 1);
      const noteAt = (place: number): Note => ({
        shelf: place % 2 === 0 ? 'even' : 'odd "1"',
        place,
        ...(place % 3 === 0 && { text: `line\n"${place}" é` }),
        ...(place % 5 === 0 && { read: place % 2 === 0 }),
      });

      beforeAll(async () => {
        await database.query(`CREATE TABLE note (shelf text NOT NULL, place bigint NOT NULL, text text,
          is_read boolean, list_place text, PRIMARY KEY (shelf, place))`);
        await database.transaction(async (query) => {
          for (const { shelf, place, text, read } of numbers.map(noteAt))
            await query('INSERT INTO note (shelf, place, text, is_read) VALUES ($1, $2, $3, $4)', [
              ...[shelf, place, text ?? null, read ?? null],
            ]);
        });
      });

      const notes = (options?: Partial<ListOptions<Note>>) =>
        database.list<Note>({ table: 'note', columns, key: ['shelf', 'place'], ...options });
      const even = numbers.filter((place) => place % 2 === 0);
      const odd = numbers.filter((place) => place % 2 === 1);

      /** The text of a short list. */
      const textOf = async (list: List<Note>) => ((await list.read()) as Buffer).toString();

      test('has every row once, in the order of a composite key, without null fields', async () => {
        expect(await itemsIn(notes().items())).toEqual([...even, ...odd].map(noteAt));
      });

      test('has only the rows of a filter, over several batches', async () => {
        const list = notes({ where: { sql: 'place > $1 AND shelf <> $2', values: [300, 'none'] } });
        expect(await itemsIn(list.items())).toEqual(
          [...even, ...odd].filter((place) => place > 300).map(noteAt),
        );
      });

      test('is read whole if it is short, and in batches if it is long', async () => {
        const short = notes({ where: { sql: 'place < $1', values: [5] } });
        expect(JSON.parse(await textOf(short))).toEqual([2, 4, 1, 3].map(noteAt));
        expect(await textOf(notes({ where: { sql: 'place < 0', values: [] } }))).toBe('[]');
        expect(Buffer.isBuffer(await notes().read())).toBe(false);
      });

      test('keeps integers beyond 2^53 in its text', async () => {
        const exact = 9_007_199_254_740_993n;
        await database.query('INSERT INTO note (shelf, place) VALUES ($1, $2)', ['last', String(exact)]);
        const list = notes({ where: { sql: 'shelf = $1', values: ['last'] } });
        expect(await textOf(list)).toBe(`[{"shelf":"last","place":${exact}}]`);
        await database.query(`DELETE FROM note WHERE shelf = 'last'`);
      });

      test('does not hold up other statements while it is read', async () => {
        for await (const batch of notes().items()) {
          expect(batch.length).toBeGreaterThan(0);
          await database.query('UPDATE book SET copies = copies WHERE id = 1');
        }
      });

      test('rejects a missing table', async () => {
        await expect(notes({ table: 'gone' }).read()).rejects.toBeInstanceOf(StoreUnavailable);
      });
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
  const file = openDatabase(path.join(newFolder(), 'test.db'), { synchronous: 'FULL' });
  const database = sqliteSql(file);
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

test('the write-ahead log of SQLite shrinks again after a reader made it grow', () => {
  const file = path.join(newFolder(), 'a.db');
  const [writer, reader] = [0, 1].map(() => openDatabase(file, { synchronous: 'NORMAL' }));
  writer?.exec('CREATE TABLE a (b)');
  reader?.exec('BEGIN');
  reader?.prepare('SELECT * FROM a').all();
  for (let times = 0; times < 20; times += 1) writer?.exec('INSERT INTO a VALUES (randomblob(1000000))');
  const size = () => statSync(`${file}-wal`).size;
  expect(size()).toBeGreaterThan(16_000_000);
  reader?.exec('COMMIT');
  for (let times = 0; times < 3; times += 1) writer?.exec('INSERT INTO a VALUES (1)');
  expect(size()).toBeLessThanOrEqual(4 * 1024 * 1024);
  reader?.close();
  writer?.close();
});
