import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describeWith } from '@kit/local-stack';
import Database from 'better-sqlite3';
import {
  newFolder,
  startPostgres,
  createClock,
  shared,
  stopAtEnd,
  originOf,
  startProcess,
} from '@kit/server/testing';
import { bin, petstoreJson } from './support/command.ts';
import { startTestService, type TestService } from './support/service.ts';
import { storedOrders } from './support/store.ts';
import { filesIn } from './support/petstore.ts';

/* Stores that version 1.0.0 wrote: see test/stores/README.md. */

const STORES = path.join(import.meta.dirname, 'stores');
const KEY = 'pst_HJOKPBet2nBc3pqKtzPWQ3qfypHSDRAf1qbT89';
const POSTGRES_KEY = 'pst_EHZNj4M7COyytUaY4zV9s7hWW1DWQ9aK1ZfcXk';

/** A copy of a kept store, as its folder. */
function copyOf(name: string): string {
  const dataDir = newFolder();
  cpSync(path.join(STORES, name), dataDir, { recursive: true });
  return dataDir;
}

/** A time after the limits in the stores of 1.0.0 have ended. */
const start = (dataDir: string, env = {}) =>
  startTestService({ dataDir, env, clock: createClock(Date.parse('2026-12-01T12:00:00Z')) });

/** Expects exactly the data that 1.0.0 had committed, over HTTP and for the operator. */
async function expectEverything(service: TestService, key: string): Promise<void> {
  const { features, keys } = service.store;
  const shipped = expect.stringMatching(/^2026-11-23T15:58:1\d\.\d{3}Z$/) as string;
  expect(await (await service.list(key)).json()).toEqual([
    { id: 1, petId: 198_772, quantity: 7, shipDate: '2026-11-02T10:00:00.000Z', complete: true },
    { id: 2, petId: 198_773, quantity: 1, shipDate: '2026-11-03T10:00:00.500Z', complete: false },
    { id: 3 },
    { id: 1_000, petId: Number.MIN_SAFE_INTEGER, quantity: 0, complete: true },
    { id: 500_000, petId: 12, quantity: 3, shipDate: shipped },
    { id: 500_001 },
  ]);
  expect((await storedOrders(features.orders)).map(({ status }) => status)).toEqual([
    ...['shipped', 'pending', 'cancelled', 'cancelled', 'shipped', 'pending'],
  ]);
  const pets = [7, 8, 9].map((id) => service.request(`/v1/pets/${id}`, { key }));
  expect(await Promise.all((await Promise.all(pets)).map((response) => response.json()))).toEqual([
    { id: 7, name: 'Rex' },
    { id: 8 },
    { id: 9, name: 'Ünïcode 🐢' },
  ]);
  const known = (await keys.list()).map(({ name, plan, quota, revokedAt }) => [
    ...[name, plan, quota.perMinute, quota.perDay, revokedAt !== undefined],
  ]);
  expect(known.sort()).toEqual([
    ["Ada's shop", 'free', 60, 1_000, false],
    ['Enterprise', 'enterprise', 5, 50, false],
    ['Revoked', 'pro', 300, 10_000, true],
  ]);
  expect((await keys.listAudit()).map(({ action, actor }) => `${action} by ${actor}`)).toEqual([
    ...['created by root', 'created by root', 'created by root', 'revoked by root', 'banned by service'],
  ]);
  expect((await service.cancel(2, key)).status).toBe(204);
  expect((await service.cancel(1, key)).status).toBe(409);
}

test('the embedded store of 1.0.0 opens with all its data', async () => {
  await expectEverything(await start(copyOf('1.0.0')), KEY);
});

test('the unit, the environment file and the data folder of 1.0.0 start this program', async () => {
  const textOf = (file: string) => readFileSync(path.join(STORES, '1.0.0-unit', file), 'utf8');
  const unit = textOf('petstore.service');
  const dataDir = copyOf('1.0.0');
  const env: Record<string, string> = Object.fromEntries(
    [...textOf('petstore.env').matchAll(/^(\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const [program = '', ...args] = command.replace('/opt/petstore/bin/petstore.js', bin).split(' ');
  expect([program, unit.includes('Environment=DATA_DIR=')]).toEqual(['/usr/bin/node', true]);
  const running = startProcess(process.execPath, args, { env: { ...env, DATA_DIR: dataDir } });
  stopAtEnd('service', () => running.kill('SIGKILL'));
  const origin = await originOf(running);
  const headers = { authorization: `Bearer ${KEY}` };
  const list = await fetch(`${origin}/v1/store/orders`, { headers });
  expect([list.status, ((await list.json()) as unknown[]).length]).toEqual([200, 6]);
  expect(await (await fetch(`${origin}/metrics`)).text()).toContain(
    'petstore_requests_total{operation="listOrders",status="200"} 1',
  );
});

test('a store whose import was killed shows only committed data, and removes the rest', async () => {
  const dataDir = copyOf('1.0.0-killed-import');
  const service = await start(dataDir);
  await expectEverything(service, KEY);
  for (const hidden of [10, 999, 600_000, 604_109])
    expect((await service.cancel(hidden, KEY)).status).toBe(404);
  const database = new Database(filesIn(dataDir).store, { readonly: true });
  expect(database.prepare('SELECT count(*) FROM orders').pluck().get()).toBe(6);
  database.close();
});

test('a backup of a store whose import was killed is restored without the import', async () => {
  const backup = filesIn(copyOf('1.0.0-killed-import')).store;
  const dataDir = newFolder();
  const { restored } = await petstoreJson<{ restored: object }>(['restore', backup], { dataDir });
  expect(restored).toEqual({ orders: 6, pets: 3, keys: 3 });
  await expectEverything(await start(dataDir), KEY);
});

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);

  test('the database of 1.0.0 opens with all its data', async () => {
    const url = await postgres.createDatabase();
    const dump = gunzipSync(readFileSync(path.join(STORES, '1.0.0.postgres.sql.gz'))).toString();
    // Lines with a backslash are for psql.
    await postgres.run(dump.replaceAll(/^\\.*$/gm, ''), url);
    const columns = () =>
      postgres.run<{ optional: boolean }>(
        `SELECT table_name, column_name, data_type, is_nullable = 'YES' OR column_default IS NOT NULL AS optional
         FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, ordinal_position`,
        url,
      );
    const before = await columns();
    await expectEverything(await start(newFolder(), { DATABASE_URL: url }), POSTGRES_KEY);
    // During a rolling upgrade, instances of 1.0.0 still serve it: they know no new columns.
    const after = await columns();
    expect(after).toEqual(expect.arrayContaining(before));
    const known = new Set(before.map((column) => JSON.stringify(column)));
    expect(after.filter((column) => !known.has(JSON.stringify(column)) && !column.optional)).toEqual([]);
  });
});
