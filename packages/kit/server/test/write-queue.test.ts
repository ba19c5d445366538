import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConstraintError } from '../src/database/constraint-error.ts';
import { StoreUnavailable } from '../src/database/store-unavailable.ts';
import type { Query } from '../src/database/sql.ts';
import { openDatabase } from '../src/database/sqlite/database.ts';
import { createReadQueue } from '../src/database/sqlite/read-queue.ts';
import { sqliteSql } from '../src/database/sqlite/sql.ts';
import { newFolder } from '@contract-kit/test-support/testing';

const file = path.join(newFolder(), 'test.db');
const writer = openDatabase(file, { synchronous: 'FULL', busyTimeout: 0 });
const database = sqliteSql(writer);
/** Stands for another process. */
const other = openDatabase(file, { synchronous: 'FULL', busyTimeout: 0 });

beforeAll(() => {
  writer.exec(`
    CREATE TABLE shelf (id INTEGER PRIMARY KEY);
    CREATE TABLE book (
      title TEXT PRIMARY KEY,
      shelf INTEGER REFERENCES shelf (id) DEFERRABLE INITIALLY DEFERRED
    );
    CREATE TRIGGER banned BEFORE INSERT ON book WHEN NEW.title = 'banned'
    BEGIN SELECT RAISE(ROLLBACK, 'this book is banned'); END;`);
});

beforeEach(() => other.exec('DELETE FROM book'));

afterAll(() => {
  database.close();
  writer.close();
  other.close();
});

const add = (title: string, shelf: number | null = null, query: Query = database.query) =>
  query('INSERT INTO book (title, shelf) VALUES ($1, $2)', [title, shelf]);
const titles = async () =>
  (await database.query<{ title: string }>('SELECT title FROM book ORDER BY title')).map(
    ({ title }) => title,
  );
const outcomesOf = async (writes: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map(({ status }) => status);
const reasonOf = (write: Promise<unknown>) => write.catch((error: unknown) => error);

/** The commits in the write-ahead log (https://sqlite.org/fileformat2.html#walformat). */
function commitsInLog(): number {
  const log = readFileSync(`${file}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let start = 32; start + frame <= log.length; start += frame) {
    if (!log.subarray(start + 8, start + 16).equals(salt)) break;
    if (log.readUInt32BE(start + 4) > 0) commits += 1;
  }
  return commits;
}

test('the writes of one turn share a commit, and one that violates a constraint fails alone', async () => {
  const before = commitsInLog();
  const names = Array.from({ length: 199 }, (_, index) => `book ${index}`);
  const writes = [...names, 'book 7'].map((title) => add(title));
  expect(await outcomesOf(writes)).toEqual([...names.map(() => 'fulfilled'), 'rejected']);
  expect(commitsInLog()).toBe(before + 1);
  expect(await reasonOf(writes[199] as Promise<unknown>)).toBeInstanceOf(ConstraintError);
  expect(await titles()).toEqual(names.toSorted());
});

test('what callers write after a read is committed together, in the turn of that read', async () => {
  await add('One');
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const before = commitsInLog();
  await Promise.all(['Two', 'Three', 'Four'].map((title) => titles().then(() => add(title))));
  clearImmediate(counting);
  expect([turns, commitsInLog() - before]).toEqual([1, 1]);
});

test('a write is committed when it resolves', async () => {
  await add('One');
  expect(other.prepare('SELECT title FROM book').all()).toEqual([{ title: 'One' }]);
});

test('a statement that rolls all back fails alone, and the others of its turn are stored', async () => {
  const writes = ['One', 'banned', 'Two'].map((title) => add(title));
  expect(await outcomesOf(writes)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await reasonOf(writes[1] as Promise<unknown>)).toMatchObject({ constraint: 'check' });
  expect(await titles()).toEqual(['One', 'Two']);
});

test('a statement that breaks a deferred constraint fails alone at the commit', async () => {
  const writes = [add('One'), add('Two', 9), add('Three')];
  expect(await outcomesOf(writes)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await reasonOf(writes[1] as Promise<unknown>)).toMatchObject({ constraint: 'foreign key' });
  expect(await titles()).toEqual(['One', 'Three']);
});

test('a wrong statement fails alone', async () => {
  const writes = [add('One'), database.query('INSERT INTO nothing VALUES (1)'), add('Two')];
  expect(await outcomesOf(writes)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await titles()).toEqual(['One', 'Two']);
});

test('a write waits while another process writes, and reads do not', async () => {
  other.exec('BEGIN IMMEDIATE');
  const write = add('One');
  expect(await titles()).toEqual([]);
  await sleep(100);
  expect(await titles()).toEqual([]);
  other.exec('COMMIT');
  await write;
  expect(await titles()).toEqual(['One']);
});

test('a write fails if another process holds the lock for too long, and the next one succeeds', async () => {
  other.exec('BEGIN IMMEDIATE');
  const writes = [add('One'), database.transaction((query) => add('Two', null, query))];
  for (const write of writes) expect(await reasonOf(write)).toBeInstanceOf(StoreUnavailable);
  other.exec('COMMIT');
  await add('Three');
  expect(await titles()).toEqual(['Three']);
});

test('writes wait for a transaction, and commit after it', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const transaction = database.transaction(async (query) => {
    await add('One', null, query);
    await held;
  });
  const write = add('Two');
  expect(await titles()).toEqual([]);
  release();
  await Promise.all([transaction, write]);
  expect(await titles()).toEqual(['One', 'Two']);
});

test('a write that a transaction awaits outside of it fails instead of hanging', async () => {
  const nested = [() => add('Two'), () => database.transaction((query) => add('Three', null, query))].map(
    (write) =>
      reasonOf(
        database.transaction(async (query) => {
          await add('One', null, query);
          await write();
        }),
      ),
  );
  for (const error of await Promise.all(nested)) expect(error).toBeInstanceOf(StoreUnavailable);
  expect(await titles()).toEqual([]);
  await add('Four');
  expect(await titles()).toEqual(['Four']);
});

test('a transaction that a statement rolled back stores nothing more, although its error was caught', async () => {
  const transaction = database.transaction(async (query) => {
    await add('One', null, query);
    await add('banned', null, query).catch(() => undefined);
    await add('Two', null, query);
  });
  await expect(transaction).rejects.toThrow('the transaction has ended');
  expect(await titles()).toEqual([]);
});

test('the query of a transaction that has ended writes nothing', async () => {
  let kept: Query = database.query;
  await database.transaction((query) => {
    kept = query;
    return add('One', null, query);
  });
  await expect(add('Two', null, kept)).rejects.toThrow('the transaction has ended');
  expect(await titles()).toEqual(['One']);
});

test('after the last write nothing holds the write lock', async () => {
  await database.transaction((query) => add('One', null, query));
  await outcomesOf([add('One'), add('banned'), add('Two')]);
  other.exec('BEGIN IMMEDIATE');
  other.exec('COMMIT');
});

test('reads whose transaction cannot end fail, and later ones read what was written since', async () => {
  const { read } = createReadQueue(other);
  const count = () => other.prepare<{ count: number }>('SELECT count(*) AS count FROM book').get()?.count;
  // Stands for a disk that fails: a deferred constraint lets COMMIT fail.
  const broken = () => other.exec("INSERT INTO book (title, shelf) VALUES ('lost', 999)");
  expect(await outcomesOf([read(count), read(broken)])).toEqual(['rejected', 'rejected']);
  await add('Emma');
  expect(await Promise.all([read(count), read(count)])).toEqual([1, 1]);
});
