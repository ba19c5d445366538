import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { openSqlite } from '../../src/database/sqlite/driver.ts';
import { migrateData } from '../../src/store/transfer/migrate-data.ts';
import { library } from '../library/library.ts';
import { newFolder, shared, startPostgres, startRelay } from '@contract-kit/test-support/testing';
import { importItems } from '@contract-kit/test-support/testing';
import {
  command,
  createKey,
  filesIn,
  numbered,
  openPostgresStore,
  openSqliteStore,
  startTestService,
  storedLoans,
  type Store,
} from '../library/service.ts';
import { startOnSmallDisk } from '../support/small-disk.ts';

const LOANS = 40_000;
const AT = new Date('2026-11-21T12:00:00.000Z');
const noProgress = { start() {}, update() {} };

/** A folder with every kind of record and `loans` loans, and the text of a key in it. */
async function filledFolder(loans: number): Promise<{ from: string; key: string }> {
  const from = newFolder();
  const store = await openSqliteStore(from);
  await importItems(
    store.features.loans,
    numbered(loans).map(({ id }) => ({
      id,
      ...(id % 2 === 1 && { bookId: -id, days: id, returned: id % 4 === 1 }),
      ...(id % 3 === 1 && { dueDate: id % 2 === 1 ? `"Añu" \\ \u{1f436}\n` : '' }),
    })),
  );
  const { key } = await createKey(store.keys, { name: "Ada's", plan: 'free', now: AT });
  const old = await createKey(store.keys, {
    name: '"Añu" \\ \u{1f436}',
    plan: 'enterprise',
    quota: { perMinute: 7, perDay: 70 },
    now: AT,
  });
  await store.keys.markUsed([old.id], AT);
  await store.keys.unban(old.id);
  await store.keys.revoke(old.id, AT);
  await store.features.loans.cancel(2n, old.id, AT);
  await store.close();
  return { from, key };
}

const contentOf = async ({ features: { loans }, keys }: Store) => ({
  loans: await storedLoans(loans),
  keys: await keys.list(),
  trail: await keys.listAudit(),
});

describeWith(['PostgreSQL'], 'migrate-data', () => {
  const postgres = shared(startPostgres);
  const query = <Row>(url: string, sql: string) => postgres.run<Row>(sql, url);

  const open = (url: string) => openPostgresStore({ url });
  const move = (from: string, databaseUrl: string) =>
    migrateData({ service: library, from, databaseUrl, progress: noProgress });
  const countIn = async (url: string) =>
    (await query(url, 'SELECT id::text FROM loans UNION ALL SELECT id FROM api_keys')).length;

  test(`moves ${LOANS} loans and the keys with every column, and the key still works`, async () => {
    const { from, key } = await filledFolder(LOANS);
    const url = await postgres.createDatabase();
    const options = { dataDir: newFolder(), env: { DATABASE_URL: url } };
    expect(await command.json(['migrate-data', '--from', from], options)).toMatchObject({
      moved: { loans: LOANS, api_keys: 2 },
    });

    const [source, target] = [await openSqliteStore(from), await open(url)];
    expect(await contentOf(target)).toEqual(await contentOf(source));
    await Promise.all([source.close(), target.close()]);
    // Columns that no method of the store returns.
    expect(await query(url, 'SELECT cancelled_at, cancelled_by FROM loans WHERE id = 2')).toEqual([
      { cancelled_at: AT.toISOString(), cancelled_by: expect.stringMatching(/^key_/) as string },
    ]);
    const service = await startTestService({ env: { DATABASE_URL: url } });
    expect((await service.cancel(4, key)).status).toBe(204);
  });

  test('continues after the highest issued id, even if its row was deleted', async () => {
    const { from } = await filledFolder(5);
    const database = openSqlite(filesIn(from).store);
    database.exec('DELETE FROM loans WHERE id > 3');
    database.close();
    const url = await postgres.createDatabase();
    await move(from, url);
    expect(await query(url, 'INSERT INTO loans DEFAULT VALUES RETURNING id')).toEqual([{ id: '6' }]);
  });

  test('a target that rejects one of the last rows is left empty, and the next try succeeds', async () => {
    const { from } = await filledFolder(LOANS);
    const url = await postgres.createDatabase();
    await (await open(url)).close();
    // A fixed row fails in the middle, at any speed.
    await query(url, `ALTER TABLE loans ADD CONSTRAINT meddle CHECK (id <> ${LOANS - 1_000})`);
    await expect(move(from, url)).rejects.toThrow(
      new RegExp(`^loans, id ${LOANS - 1_000}: PostgreSQL rejects it: .*meddle.*; nothing was moved$`),
    );
    await query(url, 'ALTER TABLE loans DROP CONSTRAINT meddle');
    expect(await countIn(url)).toBe(0);
    await move(from, url);
    expect(await countIn(url)).toBe(LOANS + 2);
  });

  test.each(['is killed', 'loses its connection'])(
    'moves nothing if it %s, and the next try succeeds',
    async (how) => {
      const { from } = await filledFolder(LOANS);
      const url = await postgres.createDatabase();
      await (await open(url)).close();
      // It takes time in the middle, at any speed.
      await query(
        url,
        `CREATE FUNCTION slow(id bigint) RETURNS boolean LANGUAGE plpgsql
           AS 'BEGIN IF id = ${LOANS - 1_000} THEN PERFORM pg_sleep(2); END IF; RETURN true; END';
         ALTER TABLE loans ADD CONSTRAINT slow CHECK (slow(id))`,
      );
      const name = await startRelay(postgres.port);
      const env = { DATABASE_URL: url.replace(String(postgres.port), String(name.port)) };
      const isMoving = async () =>
        (await query(url, `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).length > 0;
      const when = async () => {
        const moving = await isMoving();
        if (moving && how !== 'is killed') name.cut();
        return moving && how === 'is killed';
      };
      const stop = { signal: 'SIGKILL', when } as const;
      const run = () => command.run(['migrate-data', '--from', from], { dataDir: newFolder(), env, stop });
      const { code, stderr } = await run();
      expect([code, stderr]).toEqual(
        how === 'is killed'
          ? [null, '']
          : [1, expect.stringMatching(/^library: .* run this again once it works\. Either everything /)],
      );
      await move(from, url);
      expect(await countIn(url)).toBe(LOANS + 2);
    },
  );

  test('rejects a target that is not empty', async () => {
    const { from } = await filledFolder(1);
    const url = await postgres.createDatabase();
    await move(from, url);
    await expect(move(from, url)).rejects.toThrow(/^the store at DATABASE_URL is not empty/);
  });

  test('rejects a folder that is served, missing or not a store in one line, and does not change it', async () => {
    const env = { DATABASE_URL: await postgres.createDatabase() };
    const service = await startTestService();
    const other = newFolder();
    const junk = newFolder();
    writeFileSync(filesIn(junk).store, 'this is no database, but it is long enough to be one'.repeat(99));
    for (const [from, reason] of [
      [service.dataDir, 'is already served by process'],
      [path.join(other, 'none'), 'there is no folder'],
      [other, 'has no store'],
      [junk, 'it is not a database'],
    ] as const) {
      const refusal = await command.resultOfRejection(['migrate-data', '--from', from], {
        dataDir: other,
        env,
      });
      expect(refusal).toContain(reason);
    }
    expect(existsSync(path.join(other, 'none'))).toBe(false);
    expect(readdirSync(other)).toEqual([]);
  });
});

describeWith(['PostgreSQL', 'unshare'], 'migrate-data', () => {
  test('moves nothing if the disk of PostgreSQL is full', async () => {
    const { from } = await filledFolder(LOANS);
    const { url, query, fill, empty } = await startOnSmallDisk();
    await (await openPostgresStore({ url })).close();
    await fill();
    const options = { dataDir: newFolder(), env: { DATABASE_URL: url } };
    const refusal = await command.resultOfRejection(['migrate-data', '--from', from], options);
    expect(refusal).toMatch(/No space left on device.*: run this again once it works\. Either everything /);
    expect(await query('SELECT FROM loans')).toMatchObject({ rowCount: 0 });
    await empty();
    expect(await command.json(['migrate-data', '--from', from], options)).toMatchObject({
      moved: { loans: LOANS },
    });
  });
});

test('migrate-data names a missing DATABASE_URL or folder', async () => {
  const dataDir = newFolder();
  const unset = await command.resultOfRejection(['migrate-data', '--from', dataDir], { dataDir });
  expect(unset).toMatch(/^library: set DATABASE_URL /);
  expect((await command.run(['migrate-data'], { dataDir })).code).toBe(2);
});
