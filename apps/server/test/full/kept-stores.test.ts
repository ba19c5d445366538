import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describeWith, pathOf } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres } from '@contract-kit/test-support/testing';
import { petstore, petstoreJson, servePetstore } from '../support/command.ts';
import { filesIn, petstore as service } from '../support/petstore.ts';

/* Stores that released versions wrote: see stores/README.md. */

const STORES = path.join(import.meta.dirname, '../stores');
const versions = readdirSync(STORES).filter((name) => statSync(path.join(STORES, name)).isDirectory());

/** A DATA_DIR, with a DATABASE_URL in `env` if the store is in PostgreSQL. */
interface Place {
  readonly dataDir: string;
  readonly env?: { readonly DATABASE_URL: string };
}

/** What a store has, as the commands print it, and a key that works. */
interface Expected {
  readonly key: string;
  readonly content: Record<string, unknown>;
}

const LISTS = { orders: ['orders', 'list'], keys: ['keys', 'list'], audit: ['audit'] };

async function contentOf(place: Place): Promise<Record<string, unknown>> {
  const content: Record<string, object[]> = {};
  for (const [name, args] of Object.entries(LISTS)) content[name] = await petstoreJson<object[]>(args, place);
  // A ban ends while the store is kept.
  for (const key of content['keys'] ?? []) delete (key as { bannedUntil?: string }).bannedUntil;
  return content;
}

async function succeed(args: readonly string[], place: Place, input?: string): Promise<void> {
  const { code, stderr } = await petstore(args, { ...place, ...(input !== undefined && { input }) });
  if (code !== 0) throw new Error(stderr);
}

const createKey = (place: Place, name: string, ...plan: string[]) =>
  petstoreJson<{ id: string; key: string }>(['keys', 'create', '--name', name, '--plan', ...plan], place);

/** Fills an empty store with every kind of record, by commands and requests. */
async function fill(place: Place): Promise<Expected> {
  const { key } = await createKey(place, "Ada's shop", 'free');
  const revoked = await createKey(place, 'Revoked', 'pro');
  const banned = await createKey(place, 'Ünïcode 🐢', 'enterprise', '--per-minute', '1', '--per-day', '50');
  const orders = [
    { id: 2, petId: 198_772, quantity: 7, shipDate: '2026-11-02T10:00:00Z', complete: true },
    { id: 3, quantity: 0, complete: false },
    { id: 500_000, petId: Number.MIN_SAFE_INTEGER },
    { petId: 12, status: 'shipped' },
  ];
  await succeed(['orders', 'import', '-'], place, orders.map((order) => JSON.stringify(order)).join('\n'));
  const pets = [{ id: 7, name: 'Rex' }, { id: 8 }, { id: 9, name: 'Ünïcode 🐢' }];
  await succeed(['pets', 'import', '-'], place, JSON.stringify(pets));
  await succeed(['orders', 'ship', '2'], place);
  await succeed(['keys', 'revoke', revoked.id, '--yes'], place);
  const server = await servePetstore(place);
  await requestAs(server.origin, key, '/v1/store/orders/3', 'DELETE');
  for (let request = 0; request < 3; request += 1) await requestAs(server.origin, banned.key, '/v1/pets/7');
  await server.kill('SIGTERM');
  return { key, content: await contentOf(place) };
}

const requestAs = (origin: string, key: string, target: string, method = 'GET') =>
  fetch(origin + target, { method, headers: { authorization: `Bearer ${key}` } });

/** Expects everything that is kept, before and after it is served, and that it can be changed. */
async function expectStore(place: Place, { key, content }: Expected): Promise<void> {
  expect(await contentOf(place)).toEqual(content);
  const server = await servePetstore(place);
  const statusOf = async (target: string, method?: string) =>
    (await requestAs(server.origin, key, target, method)).status;
  const pets = [7, 8, 9].map(async (id) => (await requestAs(server.origin, key, `/v1/pets/${id}`)).json());
  expect(await Promise.all(pets)).toEqual([{ id: 7, name: 'Rex' }, { id: 8 }, { id: 9, name: 'Ünïcode 🐢' }]);
  expect(await statusOf('/v1/store/orders/2', 'DELETE')).toBe(409);
  expect(await statusOf('/v1/store/orders/500000', 'DELETE')).toBe(204);
  await server.kill('SIGTERM');
  await succeed(['orders', 'import', '-'], place, '{}');
  const ids = (await petstoreJson<{ id: number }[]>(['orders', 'list'], place)).map(({ id }) => id);
  expect(ids.at(-1)).toBe(500_002);
}

const read = (version: string, name: string) => readFileSync(path.join(STORES, version, name));
const expectedOf = (version: string) =>
  JSON.parse(read(version, 'expected.json').toString()) as Record<'embedded' | 'postgres', Expected>;

test.each(versions)('the embedded store of %s opens with all its data', async (version) => {
  const dataDir = newFolder();
  for (const name of ['petstore.db', 'limits.db'])
    writeFileSync(path.join(dataDir, name), gunzipSync(read(version, `${name}.gz`)));
  await expectStore({ dataDir }, expectedOf(version).embedded);
});

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);
  const placeOf = (url: string) => ({ dataDir: newFolder(), env: { DATABASE_URL: url } });

  test.each(versions)('the database of %s opens with all its data', async (version) => {
    const url = await postgres.createDatabase();
    // Lines with a backslash are for psql.
    const dump = gunzipSync(read(version, 'postgres.sql.gz'))
      .toString()
      .replaceAll(/^\\.*$/gm, '');
    await postgres.run(dump, url);
    await expectStore(placeOf(url), expectedOf(version).postgres);
  });

  // `npm run stores:keep`.
  if (process.env['KEEP_STORE'])
    test('keeps stores of this version', async () => {
      const folder = path.join(STORES, service.version);
      const dataDir = newFolder();
      const url = await postgres.createDatabase();
      const expected = { embedded: await fill({ dataDir }), postgres: await fill(placeOf(url)) };
      const dump = path.join(path.dirname(pathOf('PostgreSQL')), 'pg_dump');
      const sql = execFileSync(dump, ['--inserts', '--no-owner', '--no-privileges', `--dbname=${url}`]);
      mkdirSync(folder, { recursive: true });
      const { store, counters } = filesIn(dataDir);
      // Otherwise the file lacks the last changes.
      expect(existsSync(`${store}-wal`)).toBe(false);
      for (const file of [store, counters])
        writeFileSync(path.join(folder, `${path.basename(file)}.gz`), gzipSync(readFileSync(file)));
      writeFileSync(path.join(folder, 'postgres.sql.gz'), gzipSync(sql));
      writeFileSync(path.join(folder, 'expected.json'), `${JSON.stringify(expected, undefined, 2)}\n`);
    });
});
