import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres } from '@contract-kit/test-support/testing';
import type { Columns } from '../src/database/columns.ts';
import { createLists } from '../src/database/lists.ts';
import { oncePerTurn } from '../src/database/once-per-turn.ts';
import { openPostgresDatabase } from '../src/database/postgres/database.ts';
import { postgresSql } from '../src/database/postgres/sql.ts';
import type { Database, Query } from '../src/database/sql.ts';
import { openDatabase } from '../src/database/sqlite/database.ts';
import { sqliteSql } from '../src/database/sqlite/sql.ts';
import { StoreUnavailable } from '../src/database/store-unavailable.ts';
import type { Batches } from '../src/http/list.ts';

interface Note {
  readonly id: number;
  readonly text: string;
}

const columns: Columns<Note> = {
  id: { column: 'id', holds: 'integer' },
  text: { column: 'text', holds: 'text' },
};
/** 450 characters, 900 bytes. */
const TEXT = 'é'.repeat(450);
/** Notes whose list is too long to be cached, in 13 batches, and notes whose list is not. */
const LONG = 12_500;
const SHORT = 2_500;

const inBatches = (read: Buffer | Batches): Batches => {
  if (Buffer.isBuffer(read)) throw new Error('it was read whole');
  return read;
};

async function textOf(read: Buffer | Batches): Promise<string> {
  if (Buffer.isBuffer(read)) return read.toString();
  const texts: string[] = [];
  for await (const text of read) texts.push(text);
  return `[${texts.join(',')}]`;
}

const idsIn = (text: string) => (JSON.parse(text) as Note[]).map(({ id }) => id);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Tests the cached list on every engine, by the batches that are read. */
function describeCachedList(
  engine: string,
  open: () => Promise<{ database: Database; close: () => unknown }>,
) {
  describe(`a cached list over ${engine}`, () => {
    let database: Database;
    let close: () => unknown;
    /** How many batches and revisions were read. */
    const counted = { batches: 0, revisions: 0 };

    beforeAll(async () => {
      ({ database, close } = await open());
      await database.query('CREATE TABLE note (id bigint PRIMARY KEY, text text NOT NULL)');
      await database.query('CREATE TABLE note_revision (revision bigint NOT NULL)');
      await database.query('INSERT INTO note_revision VALUES (1)');
    });

    beforeEach(async () => {
      await database.query('DELETE FROM note');
      Object.assign(counted, { batches: 0, revisions: 0 });
    });

    afterAll(() => close());

    const addUpTo = async (count: number) => {
      await database.query(
        `INSERT INTO note WITH RECURSIVE numbers (id) AS
           (SELECT (SELECT coalesce(max(id), 0) + 1 FROM note) UNION ALL SELECT id + 1 FROM numbers WHERE id < ${count})
         SELECT id, CAST($1 AS text) FROM numbers`,
        [TEXT],
      );
      await change();
    };
    const change = () => database.query('UPDATE note_revision SET revision = revision + 1');

    function newList() {
      const query: Query = (sql, values) => {
        if (sql.includes('string_agg')) counted.batches += 1;
        if (sql.includes('note_revision')) counted.revisions += 1;
        return database.query(sql, values);
      };
      const list = createLists({ engine: database.engine, query, together: oncePerTurn });
      return list<Note>({ table: 'note', columns, revision: 'note_revision' });
    }

    test('is sent from its first batch on, also if its length is not known yet', async () => {
      await addUpTo(LONG);
      const list = newList();
      const texts = inBatches(await list.read())[Symbol.asyncIterator]();
      await texts.next();
      expect(counted.batches).toBe(1);
      await texts.next();
      expect(counted.batches).toBe(2);
    });

    test('is read once for all requests at one revision, at the speed of each, and is then cached', async () => {
      await addUpTo(SHORT);
      const list = newList();
      const slow = inBatches(await list.read())[Symbol.asyncIterator]();
      const first = await slow.next();
      const [fast, other] = await Promise.all([list.read().then(textOf), list.read().then(textOf)]);
      expect(idsIn(fast)).toEqual(numbered(SHORT));
      expect(other).toBe(fast);
      const rest = [await slow.next(), await slow.next(), await slow.next()];
      expect([first, ...rest].map(({ done }) => done)).toEqual([false, false, false, true]);
      expect(counted.batches).toBe(3);
      const cached = await list.read();
      expect(Buffer.isBuffer(cached)).toBe(true);
      expect((cached as Buffer).toString()).toBe(fast);
      expect(await list.read()).toBe(cached);
      expect(counted.batches).toBe(3);
      await change();
      expect(await textOf(await list.read())).toBe(fast);
      expect(counted.batches).toBe(6);
    });

    test('can be had whole while it is read in batches, and still once', async () => {
      await addUpTo(SHORT);
      const list = newList();
      const reads = await Promise.all([list.read(), list.read(), list.read()]);
      const [whole, same] = await Promise.all(reads.map(async (read) => inBatches(read).whole?.()));
      expect(idsIn(String(whole))).toEqual(numbered(SHORT));
      expect(same).toBe(whole);
      expect(await Promise.all(reads.map(textOf))).toEqual(reads.map(() => String(whole)));
      expect(counted.batches).toBe(3);
    });

    test('is known to be too long, whatever changes, and is then not read ahead, nor its revision', async () => {
      await addUpTo(LONG);
      const list = newList();
      expect(idsIn(await textOf(await list.read()))).toEqual(numbered(LONG));
      expect(counted).toEqual({ batches: 13, revisions: 1 });
      for (let times = 1; times <= 3; times += 1) {
        await change();
        const { whole, ...read } = inBatches(await list.read());
        expect(whole).toBeUndefined();
        await read[Symbol.asyncIterator]().next();
        expect(counted).toEqual({ batches: 13 + times, revisions: 1 });
      }
    });

    test('is not whole if it turns out to be too long', async () => {
      await addUpTo(LONG);
      const list = newList();
      const read = inBatches(await list.read());
      expect(await read.whole?.()).toBeUndefined();
      expect(idsIn(await textOf(read))).toEqual(numbered(LONG));
    });

    test('is cached again when it was read and is no longer too long', async () => {
      await addUpTo(LONG);
      const list = newList();
      await textOf(await list.read());
      await database.query(`DELETE FROM note WHERE id > ${SHORT}`);
      await change();
      expect(idsIn(await textOf(await list.read()))).toEqual(numbered(SHORT));
      await textOf(await list.read());
      const { batches } = counted;
      expect(Buffer.isBuffer(await list.read())).toBe(true);
      expect(counted.batches).toBe(batches);
      await addUpTo(LONG);
      expect(idsIn(await textOf(await list.read()))).toEqual(numbered(LONG));
      expect(inBatches(await list.read()).whole).toBeUndefined();
    });

    test('has no change that a request could not see, and all that it must see', async () => {
      await addUpTo(SHORT);
      const list = newList();
      const before = inBatches(await list.read())[Symbol.asyncIterator]();
      await before.next();
      await addUpTo(SHORT + 1);
      // The earlier request may see it, a later one must, and does not follow the earlier one.
      expect(idsIn(await textOf(await list.read()))).toEqual(numbered(SHORT + 1));
      expect(counted.batches).toBe(1 + 3);
    });

    test('keeps no failure: the request after it reads the batch again', async () => {
      await addUpTo(SHORT);
      const list = newList();
      const texts = inBatches(await list.read())[Symbol.asyncIterator]();
      await texts.next();
      await database.query('ALTER TABLE note RENAME TO lost');
      await expect(texts.next()).rejects.toBeInstanceOf(StoreUnavailable);
      await database.query('ALTER TABLE lost RENAME TO note');
      expect(idsIn(await textOf(await list.read()))).toEqual(numbered(SHORT));
      expect(counted.batches).toBe(1 + 1 + 2);
    });
  });
}

const openSqlite = () => {
  const file = openDatabase(path.join(newFolder(), 'test.db'), { synchronous: 'NORMAL' });
  const database = sqliteSql(file);
  return Promise.resolve({ database, close: () => [database.close(), file.close()] });
};

describeCachedList('SQLite', openSqlite);

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);

  describeCachedList('PostgreSQL', async () => {
    const database = openPostgresDatabase({ applicationName: 'test', url: await postgres.createDatabase() });
    return { database: postgresSql(database), close: () => database.close() };
  });
});

test('a change is committed between any two batches of a list over SQLite', async () => {
  const { database, close } = await openSqlite();
  await database.query('CREATE TABLE note (id bigint PRIMARY KEY, text text NOT NULL)');
  await database.query(
    `INSERT INTO note WITH RECURSIVE numbers (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers WHERE id < 9500)
     SELECT id, 'a' FROM numbers`,
  );
  const events: string[] = [];
  const list = database.list<Note>({ table: 'note', columns });
  const reading = (async () => {
    for await (const batch of list.batches()) events.push(batch === '' ? 'nothing' : 'batch');
    events.push('end');
  })();
  while (!events.includes('end')) {
    await database.query(`UPDATE note SET text = 'b' WHERE id = 1`);
    events.push('change');
  }
  await reading;
  expect(events.filter((event) => event === 'batch')).toHaveLength(10);
  expect(events.join(' ')).not.toContain('batch batch');
  close();
});
