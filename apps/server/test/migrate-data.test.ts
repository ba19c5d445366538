import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { migrateData } from '@kit/server/internals';
import { petstore, petstoreJson, refusalOf } from './support/command.ts';
import { startTestService } from './support/service.ts';
import { importOrders, importPets, numbered, storedOrders } from './support/store.ts';
import { describeWith } from '@kit/local-stack';
import { newFolder, startPostgres, scaled, shared } from '@kit/server/testing';
import {
  type Store,
  createKey,
  filesIn,
  openPostgresStore,
  openSqliteStore,
  petstore as definition,
} from './support/petstore.ts';

const ORDERS = scaled({ usually: 12_000, full: 120_000 });
const AT = new Date('2026-11-21T12:00:00.000Z');
const noProgress = { start() {}, update() {} };

/** Whatever a store can hold, `orders` orders of it. Its folder, and the text of a key in it. */
async function filledFolder(orders: number): Promise<{ from: string; key: string }> {
  const from = newFolder();
  const store = await openSqliteStore(from);
  await importOrders(
    store.features.orders,
    numbered(orders).map(({ id }) => ({
      id,
      ...(id % 2 === 1 && { petId: -id, quantity: id, complete: id % 4 === 1 }),
      ...(id % 3 === 1 && { shipDate: AT.toISOString() }),
    })),
  );
  await importPets(store.features.pets, [
    { id: 1, name: `"Añu" \\ \u{1f436}\n` },
    { id: 2 },
    { id: Number.MAX_SAFE_INTEGER - 1, name: '' },
  ]);
  const { key } = await createKey(store.keys, { name: "Ada's", plan: 'free', now: AT });
  const old = await createKey(store.keys, {
    name: 'b',
    plan: 'enterprise',
    quota: { perMinute: 7, perDay: 70 },
    now: AT,
  });
  await store.keys.markUsed([old.id], AT);
  await store.keys.unban(old.id);
  await store.keys.revoke(old.id, AT);
  await store.features.orders.cancel(2n, old.id, AT);
  await store.features.orders.ship(3n, AT);
  await store.close();
  return { from, key };
}

async function contentOf({ features: { orders, pets }, keys }: Store) {
  const found = await Promise.all([1n, 2n, BigInt(Number.MAX_SAFE_INTEGER) - 1n].map((id) => pets.find(id)));
  return {
    orders: await storedOrders(orders),
    pets: found,
    keys: await keys.list(),
    trail: await keys.listAudit(),
  };
}

describeWith(['PostgreSQL'], 'petstore migrate-data', () => {
  const postgres = shared(startPostgres);
  const query = <Row>(url: string, sql: string) => postgres.run<Row>(sql, url);

  const open = (url: string) => openPostgresStore({ url });
  const move = (from: string, databaseUrl: string) =>
    migrateData({ service: definition, from, databaseUrl, progress: noProgress });
  const countIn = async (url: string) => {
    const all =
      'SELECT id::text FROM orders UNION ALL SELECT id::text FROM pets UNION ALL SELECT id FROM api_keys';
    return (await query(url, all)).length;
  };

  test(`moves ${ORDERS} orders, the pets and the keys with every column, and the key still works`, async () => {
    const { from, key } = await filledFolder(ORDERS);
    const url = await postgres.createDatabase();
    const options = { dataDir: newFolder(), env: { DATABASE_URL: url } };
    expect(await petstoreJson(['migrate-data', '--from', from], options)).toMatchObject({
      moved: { orders: { count: ORDERS }, pets: { count: 3 }, keys: { count: 2 } },
    });

    const [source, target] = [await openSqliteStore(from), await open(url)];
    expect(await contentOf(target)).toEqual(await contentOf(source));
    await Promise.all([source.close(), target.close()]);
    // What no method of the store shows.
    expect(await query(url, 'SELECT cancelled_at, cancelled_by FROM orders WHERE id = 2')).toEqual([
      { cancelled_at: AT.toISOString(), cancelled_by: expect.stringMatching(/^key_/) as string },
    ]);
    const service = await startTestService({ env: { DATABASE_URL: url } });
    expect((await service.cancel(1, key)).status).toBe(204);
  });

  test('continues after the highest issued id, even if its row was deleted', async () => {
    const { from } = await filledFolder(5);
    const database = new Database(filesIn(from).store);
    database.exec('DELETE FROM orders WHERE id > 3; DELETE FROM pets WHERE id > 1');
    database.close();
    const url = await postgres.createDatabase();
    await move(from, url);
    const next = (table: string) =>
      query<{ id: number }>(url, `INSERT INTO ${table} DEFAULT VALUES RETURNING id`).then(([row]) =>
        Number(row?.id),
      );
    expect(await next('orders')).toBe(6);
    expect(await next('pets')).toBe(Number.MAX_SAFE_INTEGER);
  });

  test.each([
    [
      'refuses a row',
      'NEW.quantity = -1',
      /^the database at DATABASE_URL rejected it: .*quantity.*; nothing was moved$/,
    ],
    ['changes what it is given', 'NEW.quantity = 1', /^orders differ from what was sent/],
  ])(
    'a target that %s, near the end, is left empty, and the next try succeeds',
    async (_, statement, reason) => {
      const { from } = await filledFolder(ORDERS);
      const url = await postgres.createDatabase();
      await (await open(url)).close();
      // At one row, so that it is in the middle however fast the rows go in.
      await query(
        url,
        `CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN ${statement}; RETURN NEW; END';
       CREATE TRIGGER meddle BEFORE INSERT ON orders FOR EACH ROW WHEN (NEW.id = ${ORDERS - 1_000}) EXECUTE FUNCTION meddle()`,
      );
      await expect(move(from, url)).rejects.toThrow(reason);
      await query(url, 'DROP TRIGGER meddle ON orders; DROP FUNCTION meddle()');
      expect(await countIn(url)).toBe(0);
      await move(from, url);
      expect(await countIn(url)).toBe(ORDERS + 5);
    },
  );

  test('rejects a target that is not empty', async () => {
    const { from } = await filledFolder(1);
    const url = await postgres.createDatabase();
    await move(from, url);
    await expect(move(from, url)).rejects.toThrow(/^the store at DATABASE_URL is not empty/);
  });

  test('rejects a folder that is served, missing or no store in one line, and does not change it', async () => {
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
      const refusal = await refusalOf(['migrate-data', '--from', from], { dataDir: other, env });
      expect(refusal).toContain(reason);
    }
    expect(existsSync(path.join(other, 'none'))).toBe(false);
    expect(readdirSync(other)).toEqual([]);
  });
});

test('migrate-data names a missing DATABASE_URL or folder', async () => {
  const dataDir = newFolder();
  const unset = await refusalOf(['migrate-data', '--from', dataDir], { dataDir });
  expect(unset).toMatch(/^petstore: set DATABASE_URL /);
  expect((await petstore(['migrate-data'], { dataDir })).code).toBe(2);
});
