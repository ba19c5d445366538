import { describeWith } from '@contract-kit/test-support';
import { StoreUnavailable } from '../../src/index.ts';
import { openPostgresDatabase, type PostgresDatabase } from '../../src/database/postgres/database.ts';
import { shared, startPostgres, startRelay, until } from '@contract-kit/test-support/testing';

/* What an error of PostgreSQL does to its connection, and whether its statement is repeated. */

describeWith(['PostgreSQL'], 'after an error of PostgreSQL', () => {
  const postgres = shared(() => startPostgres());
  let url: string;
  let database: PostgresDatabase;

  const open = (to = url) => openPostgresDatabase({ applicationName: 'test', url: to });
  /** The server's process of a connection; undefined if there are none left. */
  const processOf = async ({ query }: PostgresDatabase) =>
    (await query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;
  const attempts = async () =>
    (await postgres.run<{ n: number }>(`SELECT nextval('attempts')::int AS n`, url))[0]?.n;
  const noted = async () =>
    (await postgres.run<{ text: string }>('SELECT text FROM notes', url)).map(({ text }) => text);

  beforeEach(async () => {
    url = await postgres.createDatabase();
    await postgres.run(
      `CREATE SEQUENCE attempts;
       CREATE TABLE notes (id int, text text);
       CREATE FUNCTION fail(code text) RETURNS int LANGUAGE plpgsql AS
         $$ BEGIN PERFORM nextval('attempts'); RAISE EXCEPTION 'x' USING ERRCODE = code; END $$;
       CREATE FUNCTION fail_once(code text) RETURNS int LANGUAGE plpgsql AS
         $$ BEGIN IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'x' USING ERRCODE = code; END IF; RETURN 1; END $$`,
      url,
    );
    database = open();
  });
  afterEach(() => database.close());

  test.each([
    // The session is over: closed, and never repeated, because the statement may have taken effect.
    ...['08000', '08003', '08006', '08P01', '57P01', '57P02', '57P03', '57P04', '40003'].map(closed),
    ...['28000', '28P01', '3D000', '53200', 'XX000', 'XX001', 'XX002'].map(closed),
    // The session is of no use, and the statement was refused: repeated on a new connection.
    ...['25006', '25P02', '25P03', '25P04', '25001', '0A000', '26000', '42P05', '57P05'].map(replaced),
    ...['42804', '42883'].map(replaced),
    // The statement was undone, and its session works.
    ...['40001', '40P01'].map((code) => [code, 'kept', 'repeated'] as const),
    // The statement is wrong, or cannot succeed now.
    ...['22P02', '22003', '23505', '40002', '42501', '42601', '42703', '42P01', '53100'].map(kept),
    ...['53300', '53400', '54001', '55006', '55P03', '57014', '58030', 'P0001', 'Z0001'].map(kept),
  ])('%s, its connection is %s and its statement %s', async (code, connection, statement) => {
    const before = await processOf(database);
    await expect(database.query('SELECT fail($1)', [code])).rejects.toThrow();
    expect(await attempts()).toBe(statement === 'repeated' ? 3 : 2);
    expect((await processOf(database)) === before).toBe(connection === 'kept');
    // In a transaction too, which is never repeated.
    const between = await processOf(database);
    await expect(database.transaction((client) => client.query('SELECT fail($1)', [code]))).rejects.toThrow();
    expect(await attempts()).toBe(statement === 'repeated' ? 5 : 4);
    expect((await processOf(database)) === between).toBe(connection === 'kept');
  });

  test('that a second attempt does not meet, the statement succeeds', async () => {
    for (const code of ['40001', '40P01', '25006', '26000']) {
      await postgres.run(`ALTER SEQUENCE attempts RESTART`, url);
      expect(await database.query('SELECT fail_once($1) AS one', [code])).toEqual([{ one: 1 }]);
    }
  });

  test('a connection on which nothing failed is kept', async () => {
    const before = await processOf(database);
    await database.query('SELECT 1');
    await database.transaction((client) => client.query('SELECT 1'));
    await expect(database.transaction(() => Promise.reject(new TypeError('mine')))).rejects.toThrow('mine');
    expect(await processOf(database)).toBe(before);
  });

  test('a column that changes its type fails no statement on any connection, whether read or compared', async () => {
    await postgres.run(`INSERT INTO notes VALUES (1, '7')`, url);
    const all = <Result>(run: () => Promise<Result>) => Promise.all(Array.from({ length: 8 }, run));
    const read = () => database.query<{ text: unknown }>('SELECT text FROM notes');
    const find = (text: string) => () => database.query('SELECT id FROM notes WHERE text = $1', [text]);
    await all(read);
    await all(find('7'));
    for (const type of ['int', 'text', 'numeric', 'text']) {
      await postgres.run(`ALTER TABLE notes ALTER text TYPE ${type} USING text::${type}`, url);
      expect(new Set((await all(find('7'))).flat().map((row) => JSON.stringify(row)))).toEqual(
        new Set(['{"id":1}']),
      );
      expect(new Set((await all(read)).flat().map(({ text }) => String(text)))).toEqual(new Set(['7']));
    }
  });

  test('a session that became read-only is replaced, and the statement succeeds', async () => {
    const name = new URL(url).pathname.slice(1);
    await postgres.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const insert = () => database.query(`INSERT INTO notes VALUES (1, 'a')`);
    await expect(insert()).rejects.toThrow('read-only');
    await postgres.run(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await insert();
    expect(await noted()).toEqual(['a']);
  });

  test('prepared statements that were discarded are prepared again', async () => {
    await database.query(`INSERT INTO notes VALUES (1, 'a')`);
    await database.query('DEALLOCATE ALL');
    await database.query(`INSERT INTO notes VALUES (1, 'a')`);
    expect(await noted()).toEqual(['a', 'a']);
  });

  test('that ends the session, the statement is not repeated', async () => {
    const end = `SELECT nextval('attempts'), pg_terminate_backend(pg_backend_pid())`;
    await expect(database.query(end)).rejects.toThrow(StoreUnavailable);
    expect(await attempts()).toBe(2);
    await database.query('SELECT 1');
  });

  test('isolation is read committed, whatever the default of the role, so that updates of one row do not fail', async () => {
    const name = new URL(url).pathname.slice(1);
    await postgres.run(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
    await postgres.run(`INSERT INTO notes VALUES (0, 'a')`, url);
    const add = () => database.query('UPDATE notes SET id = id + 1');
    await Promise.all(Array.from({ length: 50 }, add));
    await Promise.all(
      Array.from({ length: 10 }, () =>
        database.transaction((client) => client.query('UPDATE notes SET id = id + 1')),
      ),
    );
    expect(await database.query('SELECT id FROM notes')).toEqual([{ id: 60 }]);
  });

  test.each([
    ['statement', ({ query }: PostgresDatabase) => query(`INSERT INTO notes VALUES (1, 'once')`)],
    [
      'commit',
      async (into: PostgresDatabase) => {
        await into.transaction((client) => client.query(`INSERT INTO notes VALUES (1, 'once')`));
      },
    ],
  ])('a %s whose response is lost is not repeated', async (what, insert) => {
    const relay = await startRelay(postgres.port);
    const through = new URL(url);
    through.port = String(relay.port);
    const relayed = open(through.href);
    await relayed.query('SELECT 1');
    const wait =
      what === 'commit'
        ? `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
           CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION wait()`
        : '';
    await postgres.run(wait, url);
    if (what === 'statement') relay.mute();
    const inserting = insert(relayed);
    const outcome = expect(inserting).rejects.toThrow(StoreUnavailable);
    if (what === 'commit') {
      const sleeping = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
      await until(async () => (await postgres.run(sleeping, url)).length > 0);
      relay.mute();
    }
    await until(async () => (await noted()).length > 0);
    relay.cut();
    await outcome;
    relay.unmute();
    await relayed.query('SELECT 1');
    expect(await noted()).toEqual(['once']);
    await relayed.close();
  });

  test('that a transaction caught, nothing is acknowledged that PostgreSQL undid', async () => {
    const transaction = database.transaction(async (client) => {
      await client.query(`INSERT INTO notes VALUES (1, 'a')`);
      await client.query('SELECT fail($1)', ['23505']).catch(() => undefined);
    });
    await expect(transaction).rejects.toThrow('rolled back: a statement of the transaction failed');
    expect(await noted()).toEqual([]);
  });
});

function closed(code: string) {
  return [code, 'closed', 'not repeated'] as const;
}

function replaced(code: string) {
  return [code, 'closed', 'repeated'] as const;
}

function kept(code: string) {
  return [code, 'kept', 'not repeated'] as const;
}
