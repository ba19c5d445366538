import { spawnSync } from 'node:child_process';
import { existsSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { openSqlite, sqliteCodeOf, type SqliteDatabase } from '../src/database/sqlite/driver.ts';
import { newFolder } from '@contract-kit/test-support/testing';

/* What the driver does on every Node.js that runs it. */

const DRIVER = path.join(import.meta.dirname, '../src/database/sqlite/driver.ts');
const newFile = () => path.join(newFolder(), 'test.db');

/** The four ways to run a statement. */
const METHODS = ['run', 'get', 'all', 'iterate'] as const;
type Method = (typeof METHODS)[number];

function execute(database: SqliteDatabase, method: Method, sql: string, values: readonly unknown[] = []) {
  const statement = database.prepare<Record<string, unknown>>(sql);
  if (method === 'iterate') return [...statement.iterate(values)];
  return statement[method](values);
}

function failureOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

const codeOf = (work: () => unknown) => sqliteCodeOf(failureOf(work));

describe.each(METHODS)('the code of an error from %s', (method) => {
  const open = () => {
    const database = openSqlite(newFile(), { busyTimeout: 20 });
    database.exec(`
      CREATE TABLE shelf (id INTEGER PRIMARY KEY);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, copies INTEGER CHECK (copies >= 0),
        shelf INTEGER REFERENCES shelf (id));
      CREATE TABLE strict (text TEXT) STRICT;
      CREATE TRIGGER refuse BEFORE INSERT ON book WHEN new.title = 'refused'
        BEGIN SELECT raise(ABORT, 'database is not for this'); END;
      INSERT INTO book (id, title) VALUES (1, 'One')`);
    return database;
  };

  test.each([
    ['SQLITE_CONSTRAINT_UNIQUE', `INSERT INTO book (title) VALUES ('One') RETURNING id`],
    ['SQLITE_CONSTRAINT_PRIMARYKEY', `INSERT INTO book (id, title) VALUES (1, 'Two') RETURNING id`],
    ['SQLITE_CONSTRAINT_CHECK', 'UPDATE book SET copies = -1 RETURNING id'],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', 'UPDATE book SET shelf = 7 RETURNING id'],
    ['SQLITE_CONSTRAINT_NOTNULL', 'INSERT INTO book (id) VALUES (2) RETURNING id'],
    ['SQLITE_CONSTRAINT_TRIGGER', `INSERT INTO book (title) VALUES ('refused') RETURNING id`],
    ['SQLITE_CONSTRAINT_DATATYPE', `INSERT INTO strict VALUES (x'00') RETURNING text`],
    ['SQLITE_ERROR', `SELECT json('{')`],
    ['SQLITE_ERROR', 'SELECT * FROM missing'],
    ['SQLITE_ERROR', 'SELEC'],
  ])('is %s: %s', (code, sql) => {
    const database = open();
    for (const isInside of [false, true]) {
      if (isInside) database.exec(`BEGIN; INSERT INTO shelf VALUES (1)`);
      expect(codeOf(() => execute(database, method, sql))).toBe(code);
      // The statement has changed nothing, and the transaction is still open.
      expect(database.inTransaction).toBe(isInside);
      expect(database.prepare('SELECT id, title, copies, shelf FROM book').all()).toEqual([
        { id: 1, title: 'One', copies: null, shelf: null },
      ]);
    }
    database.exec('COMMIT');
    expect(database.prepare('SELECT * FROM shelf').all()).toEqual([{ id: 1 }]);
    database.close();
  });

  test('is SQLITE_BUSY while another connection holds the write lock, and then it works', () => {
    const database = open();
    const other = openSqlite(database.file);
    const insert = `INSERT INTO book (title) VALUES ('Two') RETURNING id`;
    other.exec('BEGIN IMMEDIATE');
    expect(codeOf(() => execute(database, method, insert))).toBe('SQLITE_BUSY');
    other.exec('COMMIT');
    execute(database, method, insert);
    expect(other.prepare('SELECT title FROM book ORDER BY id').all()).toEqual([
      { title: 'One' },
      { title: 'Two' },
    ]);
  });

  test('is SQLITE_READONLY on a connection that only reads', () => {
    const { file } = open();
    const database = openSqlite(file, { readonly: true });
    expect(codeOf(() => execute(database, method, 'DELETE FROM book RETURNING id'))).toBe('SQLITE_READONLY');
  });

  test('is SQLITE_FULL without room', () => {
    const database = open();
    database.pragma(`max_page_count = ${Number(database.pragma('page_count')) + 2}`);
    const insert = 'INSERT INTO book (title) VALUES ($1) RETURNING id';
    expect(codeOf(() => execute(database, method, insert, ['x'.repeat(100_000)]))).toBe('SQLITE_FULL');
    execute(database, method, insert, ['Two']);
    expect(database.prepare('SELECT count(*) AS count FROM book').all()).toEqual([{ count: 2 }]);
  });

  test('is SQLITE_CORRUPT for a damaged page, and SQLITE_NOTADB for another file', () => {
    const database = open();
    database.exec(`WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO book (id, title) SELECT i, 'Title ' || i FROM n`);
    const { rootpage = 0 } =
      database
        .prepare<{ rootpage: number }>(`SELECT rootpage FROM sqlite_schema WHERE name = 'book'`)
        .get() ?? {};
    database.close();
    const descriptor = openSync(database.file, 'r+');
    writeSync(descriptor, Buffer.alloc(4_096, 0xee), 0, 4_096, (rootpage - 1) * 4_096);
    const sql = 'SELECT * FROM book ORDER BY id';
    expect(codeOf(() => execute(openSqlite(database.file), method, sql))).toBe('SQLITE_CORRUPT');
    writeSync(descriptor, Buffer.alloc(4_096, 0xee), 0, 4_096, 0);
    const notOne = openSqlite.bind(undefined, database.file);
    expect(codeOf(() => execute(notOne(), method, sql))).toBe('SQLITE_NOTADB');
  });
});

describe('the code of an error', () => {
  test('of exec, pragma, a transaction and an opening', () => {
    const database = openSqlite(newFile(), { busyTimeout: 0 });
    database.exec('CREATE TABLE t (u UNIQUE)');
    expect(codeOf(() => database.exec('INSERT INTO t VALUES (1), (1)'))).toBe('SQLITE_CONSTRAINT_UNIQUE');
    const other = openSqlite(database.file);
    other.exec('BEGIN EXCLUSIVE');
    expect(codeOf(() => database.exec('INSERT INTO t VALUES (1)'))).toBe('SQLITE_BUSY');
    expect(codeOf(() => database.pragma('journal_mode = WAL'))).toBe('SQLITE_BUSY');
    expect(codeOf(() => database.transaction(() => undefined))).toBe('SQLITE_BUSY');
    expect(codeOf(() => openSqlite(newFolder()))).toBe('SQLITE_CANTOPEN');
    expect(codeOf(() => openSqlite(`${database.file}.none`, { readonly: true }))).toBe('SQLITE_CANTOPEN');
  });

  test('only of SQLite', () => {
    expect(sqliteCodeOf(Object.assign(new Error(), { code: 'ENOENT' }))).toBeUndefined();
    expect(sqliteCodeOf(undefined)).toBeUndefined();
  });
});

describe('a value', () => {
  const database = openSqlite(newFile());
  afterAll(() => database.close());

  /** What SQLite makes of a value, and what is read. */
  const read = (method: Method, value: unknown) => {
    const rows = execute(
      database,
      method,
      'SELECT typeof($1) AS type, CAST($1 AS text) AS text, $1 AS value',
      [value],
    );
    return Array.isArray(rows) ? rows[0] : rows;
  };
  const BYTES = new Uint8Array([0, 1, 255]);

  test.each([
    ['a number', 1, { type: 'integer', text: '1', value: 1 }],
    ['a negative number', -1, { type: 'integer', text: '-1', value: -1 }],
    ['-0', -0, { type: 'integer', text: '0', value: 0 }],
    ['a number beyond 2^31', 2 ** 31, { type: 'integer', text: '2147483648', value: 2 ** 31 }],
    ['2^53 - 1', 2 ** 53 - 1, { type: 'integer', text: '9007199254740991', value: 2 ** 53 - 1 }],
    ['a fraction', 1.5, { type: 'real', text: '1.5', value: 1.5 }],
    ['a bigint', 5n, { type: 'integer', text: '5', value: 5 }],
    ['2^53', 2n ** 53n, { type: 'integer', text: '9007199254740992', value: 2n ** 53n }],
    ['2^63 - 1', 2n ** 63n - 1n, { type: 'integer', text: '9223372036854775807', value: 2n ** 63n - 1n }],
    ['-2^63', -(2n ** 63n), { type: 'integer', text: '-9223372036854775808', value: -(2n ** 63n) }],
    ['true', true, { type: 'integer', text: '1', value: 1 }],
    ['false', false, { type: 'integer', text: '0', value: 0 }],
    ['undefined', undefined, { type: 'null', text: null, value: null }],
    ['null', null, { type: 'null', text: null, value: null }],
    ['a text', 'né 🐱', { type: 'text', text: 'né 🐱', value: 'né 🐱' }],
    ['an empty text', '', { type: 'text', text: '', value: '' }],
    ['half of a pair', '\ud800', { type: 'text', text: '\ufffd', value: '\ufffd' }],
  ])('%s is bound and read', (_, value, expected) => {
    for (const method of ['get', 'all', 'iterate'] as const)
      expect({ ...(read(method, value) as object) }).toEqual(expected);
  });

  test.each([
    ['bytes', BYTES],
    ['a Buffer', Buffer.from(BYTES)],
    ['a part of a buffer', new Uint8Array(Uint8Array.of(7, ...BYTES, 7).buffer, 1, 3)],
    ['no bytes', new Uint8Array()],
    ['no bytes of an empty buffer', new Uint8Array(new ArrayBuffer(0))],
  ])('%s are a BLOB', (_, bytes) => {
    const [row] = database
      .prepare<{ type: string; hex: string; value: Uint8Array }>(
        'SELECT typeof($1) AS type, hex($1) AS hex, $1 AS value',
      )
      .all([bytes]);
    expect([row?.type, row?.hex]).toEqual(['blob', Buffer.from(bytes).toString('hex').toUpperCase()]);
    expect(Buffer.from(row?.value ?? []).equals(bytes)).toBe(true);
  });

  test.each([
    ['a text with U+0000', 'a\0b', TypeError],
    ['an object', {}, TypeError],
    ['a list', [1], TypeError],
    ['a date', new Date(0), TypeError],
    ['a function', () => 1, TypeError],
    ['a symbol', Symbol('x'), TypeError],
    ['2^63', 2n ** 63n, RangeError],
  ])('%s is refused', (_, value, kind) => {
    for (const method of METHODS) expect(failureOf(() => read(method, value))).toBeInstanceOf(kind);
  });

  test('SQL with U+0000 is refused', () => {
    const sql = 'SELECT 1 \0 + 1';
    for (const run of [() => database.exec(sql), () => database.prepare(sql)])
      expect(failureOf(run)).toBeInstanceOf(TypeError);
  });

  test('a real number is read as a number, also where it is whole', () => {
    expect(database.prepare('SELECT 2.0 AS a, 9007199254740993.0 AS b').all()).toEqual([
      { a: 2, b: 9007199254740992 },
    ]);
  });

  test('a placeholder may stand twice, in any order, and never in a literal', () => {
    const sql = `SELECT $2 AS b, $1 AS a, $1 AS c, '$3' AS d, 'it''s $4' AS e -- $5
      , "f$6" AS f /* $7 */ FROM (SELECT 'f' AS "f$6")`;
    expect(database.prepare(sql).all(['x', 'y'])).toEqual([
      { b: 'y', a: 'x', c: 'x', d: '$3', e: `it's $4`, f: 'f' },
    ]);
  });

  test.each([[[]], [[1]], [[1, 2, 3]]])('%j for two placeholders is refused', (values) => {
    for (const method of METHODS)
      expect(failureOf(() => execute(database, method, 'SELECT $1, $2', values))).toBeInstanceOf(RangeError);
  });
});

test('a connection has its cache, enforces foreign keys, and does not take names for texts', () => {
  const database = openSqlite(newFile());
  expect(database.pragma('cache_size')).toBe(-16_000);
  expect(database.pragma('foreign_keys')).toBe(1);
  expect(codeOf(() => database.exec('SELECT "no such column"'))).toBe('SQLITE_ERROR');
  // Nothing to read.
  expect(database.pragma('user_version = 7')).toBeUndefined();
  expect(database.pragma('user_version')).toBe(7);
});

test('a path is a path, not a URI', () => {
  const folder = newFolder();
  const name = 'file:x.db?mode=memory';
  const { file } = openSqlite(path.join(path.relative('.', folder), name));
  expect(file).toBe(path.join(folder, name));
  expect(existsSync(file)).toBe(true);
});

test('a transaction is committed, or rolled back if it throws', () => {
  const database = openSqlite(newFile());
  database.exec('CREATE TABLE t (a)');
  const insert = database.prepare('INSERT INTO t VALUES ($1)');
  expect(database.transaction(() => [insert.run([1]), database.inTransaction])).toEqual([undefined, true]);
  const failed = new Error('failed');
  expect(failureOf(() => database.transaction(() => [insert.run([2]), fail(failed)]))).toBe(failed);
  // SQLite has ended this one itself.
  database.exec(`CREATE TRIGGER roll_back BEFORE INSERT ON t WHEN new.a = 4
    BEGIN SELECT raise(ROLLBACK, 'rolled back'); END`);
  expect(codeOf(() => database.transaction(() => [insert.run([3]), insert.all([4])]))).toBe(
    'SQLITE_CONSTRAINT_TRIGGER',
  );
  expect(database.inTransaction).toBe(false);
  expect(database.prepare('SELECT a FROM t').all()).toEqual([{ a: 1 }]);
});

function fail(error: Error): never {
  throw error;
}

test('a transaction takes the write lock at once, a deferred one when it writes', () => {
  const database = openSqlite(newFile());
  database.exec('CREATE TABLE t (a)');
  const other = openSqlite(database.file, { busyTimeout: 0 });
  const write = () => codeOf(() => other.exec('BEGIN IMMEDIATE; ROLLBACK'));
  expect(database.transaction(write)).toBe('SQLITE_BUSY');
  expect(database.transaction(write, 'DEFERRED')).toBeUndefined();
});

test('an iteration that is left early, or that failed, locks nothing', () => {
  const database = openSqlite(newFile());
  database.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)');
  const [first] = database.prepare('SELECT a FROM t').iterate();
  expect(first).toEqual({ a: 1 });
  database.exec('BEGIN EXCLUSIVE; DROP TABLE t; CREATE TABLE t (a UNIQUE); COMMIT');
  const failing = database.prepare('INSERT INTO t VALUES (1), (1) RETURNING a').iterate();
  expect(codeOf(() => [...failing])).toBe('SQLITE_CONSTRAINT_UNIQUE');
  database.exec('BEGIN EXCLUSIVE; DROP TABLE t; COMMIT');
  database.close();
});

test('a busy time-out is waited for', () => {
  const database = openSqlite(newFile(), { busyTimeout: 300 });
  const other = openSqlite(database.file);
  other.exec('BEGIN IMMEDIATE');
  const start = performance.now();
  expect(codeOf(() => database.exec('BEGIN IMMEDIATE'))).toBe('SQLITE_BUSY');
  expect(performance.now() - start).toBeGreaterThan(250);
});

describe('a backup', () => {
  const source = openSqlite(newFile(), { busyTimeout: 50 });
  const count = (database: SqliteDatabase) => database.prepare('SELECT count(*) AS count FROM t').all()[0];

  beforeAll(() => {
    source.pragma('journal_mode = WAL');
    source.exec(`CREATE TABLE t (a); PRAGMA user_version = 5;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT zeroblob(1000) FROM n`);
  });

  async function backUp(pagesAtOnce: number) {
    const copy = newFile();
    const progress: number[][] = [];
    await source.backup(copy, { pagesAtOnce, onProgress: (...pages) => void progress.push(pages) });
    return { copied: openSqlite(copy), progress };
  }

  test('copies everything, and reports pages up to their total', async () => {
    const pages = Number(source.pragma('page_count'));
    for (const pagesAtOnce of [100, 1_000_000]) {
      const { copied, progress } = await backUp(pagesAtOnce);
      expect([count(copied), copied.pragma('user_version')]).toEqual([{ count: 5000 }, 5]);
      expect(progress.at(-1)).toEqual([pages, pages]);
      const done = progress.map(([page = 0]) => page);
      expect(done).toEqual([...done].sort((a, b) => a - b));
    }
  });

  test('is a snapshot, also while another connection writes', async () => {
    const other = openSqlite(source.file);
    const copying = backUp(10);
    other.exec('INSERT INTO t VALUES (1)');
    const { copied } = await copying;
    expect(count(copied)).toEqual({ count: 5000 });
    expect(source.inTransaction).toBe(false);
    other.exec('DELETE FROM t WHERE a = 1');
  });

  test('is that of an open transaction', async () => {
    source.exec('BEGIN');
    expect(count(source)).toEqual({ count: 5000 });
    openSqlite(source.file).exec('INSERT INTO t VALUES (1)');
    const { copied } = await backUp(100);
    expect([count(copied), source.inTransaction]).toEqual([{ count: 5000 }, true]);
    source.exec('ROLLBACK; DELETE FROM t WHERE a = 1');
  });

  test('of a locked database times out', async () => {
    const locked = openSqlite(newFile(), { busyTimeout: 50 });
    locked.exec('CREATE TABLE t (a)');
    const other = openSqlite(locked.file);
    other.exec('BEGIN EXCLUSIVE');
    const options = { pagesAtOnce: 1, onProgress: () => {} };
    const error: unknown = await locked.backup(newFile(), options).catch((reason: unknown) => reason);
    expect(sqliteCodeOf(error)).toBe('SQLITE_BUSY');
    other.exec('ROLLBACK');
    await locked.backup(newFile(), options);
  });

  test('replaces no file', async () => {
    const copy = source.file;
    await expect(source.backup(copy, { pagesAtOnce: 1, onProgress: () => {} })).rejects.toMatchObject({
      code: 'EEXIST',
    });
  });
});

test('closing twice does nothing, and a closed database runs nothing', () => {
  const database = openSqlite(newFile());
  const statement = database.prepare('SELECT 1');
  database.close();
  database.close();
  for (const run of [
    () => statement.all(),
    () => database.exec('SELECT 1'),
    () => database.prepare('SELECT 1'),
  ])
    expect(run).toThrow();
});

test('nothing is printed, and nothing fails when thousands of handles are collected', () => {
  const script = `
    const { openSqlite } = await import(${JSON.stringify(DRIVER)});
    for (let index = 0; index < 2_000; index += 1) {
      const database = openSqlite(${JSON.stringify(newFile())});
      database.prepare('SELECT 1').all();
      if (index % 2) database.close();
      if (index % 200 === 0) gc();
    }
    gc();
    console.log('done');`;
  const args = ['--import', 'tsx', '--expose-gc', '--input-type=module', '--eval', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, 'done\n', '']);
});
