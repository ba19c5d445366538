import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describeWith } from '@contract-kit/test-support';
import { importItems, newFolder, shared, startPostgres, until } from '@contract-kit/test-support/testing';
import {
  bin,
  petstore,
  petstoreJson,
  resultOfRejection,
  servePetstore,
  type CommandOptions,
} from '../support/command.ts';
import { createKey, withStore } from '../support/petstore.ts';
import { importOrders } from '../support/store.ts';
import { root } from '../support/workspace.ts';

const AT = new Date('2026-11-21T12:00:00.000Z');

const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const run = (args: string, options: CommandOptions) => petstore(args.split(' '), options);
const json = (args: string, options: CommandOptions) => petstoreJson(args.split(' '), options);

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(textOf('apps/server/package.json')) as { version: string };
  const printed = { code: 0, stdout: `${version}\n`, stderr: '' };
  expect(await run('--version', { dataDir: newFolder() })).toEqual(printed);
});

test('orders are imported, listed with their status, and shipped', async () => {
  const own = { dataDir: newFolder() };
  const order = { id: 2, petId: 7, quantity: 0, complete: false };
  const input = `{"id":1}\n${JSON.stringify(order)}\n{"id":3,"status":"cancelled"}\n`;
  expect(await json('orders import -', { ...own, input })).toEqual({ imported: 3 });
  expect(await json('orders ship 2', own)).toEqual({ id: 2, status: 'shipped' });
  const again = await run('orders ship 2', own);
  expect([again.code, again.stdout]).toEqual([0, 'Order 2 is already shipped.\n']);
  for (const [id, reason] of [
    ['3', 'order 3 is cancelled and cannot be shipped'],
    ['4711', 'no order has the id 4711: see `petstore orders list`'],
  ] as const)
    expect(await resultOfRejection(['orders', 'ship', id], own)).toContain(reason);
  expect((await run('orders ship 1.0', own)).code).toBe(2);
  expect(await json('orders list', own)).toEqual([
    { id: 1, status: 'pending' },
    { ...order, shipDate: expect.stringMatching(/Z$/) as string, status: 'shipped' },
    { id: 3, status: 'cancelled' },
  ]);
  expect(await json('orders list --status shipped', own)).toHaveLength(1);
  expect((await run('orders list --status pending', own)).stdout.trim()).toBe('1  pending');
});

test('backs up and restores the demonstration orders', async () => {
  const own = { dataDir: newFolder() };
  const server = await servePetstore(own, ['--demo']);
  await until(() => /Authorization: Bearer \w+/.test(server.output.stdout));
  const [, key = ''] = /Authorization: Bearer (\w+)/.exec(server.output.stdout) ?? [];
  const headers = { authorization: `Bearer ${key}` };
  const list = await fetch(`${server.origin}/v1/store/orders`, { headers });
  const count = ((await list.json()) as unknown[]).length;
  expect(count).toBeGreaterThan(0);
  const file = path.join(newFolder(), 'backup.db');
  const contains = { orders: count, orders_revision: 1, pets: 3, api_keys: 1, audit: 1, idempotency_keys: 0 };
  expect(await json(`backup ${file}`, own)).toEqual({ file, contains });
  await server.kill('SIGTERM');
  expect(await json(`restore ${file} --yes`, { dataDir: newFolder() })).toEqual({ restored: contains });
});

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);

  test('orders and pets move, with the time and key of each cancel', async () => {
    const [from, url] = [newFolder(), await postgres.createDatabase()];
    const { id } = await withStore(from, async ({ features: { orders, pets }, keys }) => {
      await importOrders(orders, [{ id: 2, petId: -7, quantity: 0, complete: false }]);
      await importItems(pets, [{ id: 1, name: 'Rex' }, { id: 2 }]);
      const key = await createKey(keys, { name: 'shop', plan: 'free', now: AT });
      await orders.cancel(2n, key.id, AT);
      return key;
    });
    const moved = { orders: 1, orders_revision: 1, pets: 2, api_keys: 1, audit: 1, idempotency_keys: 0 };
    const env = { DATABASE_URL: url };
    expect(await json(`migrate-data --from ${from}`, { dataDir: newFolder(), env })).toEqual({ moved });
    expect(await postgres.run('SELECT * FROM orders', url)).toEqual([
      {
        ...{ id: '2', pet_id: '-7', quantity: '0', ship_date: null, complete: false, status: 'cancelled' },
        ...{ cancelled_at: AT.toISOString(), cancelled_by: id },
      },
    ]);
    expect(await postgres.run('SELECT name FROM pets ORDER BY id', url)).toEqual([
      { name: 'Rex' },
      { name: null },
    ]);
  });
});

const pages = [
  'README.md',
  'apps/server/README.md',
  ...readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`),
].filter((page) => page.endsWith('.md'));
const documented = pages
  .flatMap((page) =>
    [...textOf(page).matchAll(/(?:npx --no-install |`|^ *)petstore ([a-z][^`#\n]*)/gm)].map(
      ([, command = '']) => command.trim(),
    ),
  )
  // The runbook of every service has them; only services with jobs do.
  .filter((command) => !command.startsWith('jobs '));

test('every command and option in the documents exists', async () => {
  const dataDir = newFolder();
  const optionsOf = new Map<string, string[]>();
  for (const command of documented) {
    const [words = ''] = /^[a-z-]+( [a-z]+(?= |$))?/.exec(command) ?? [];
    const options = command.match(/(?<= )--[a-z-]+/g) ?? [];
    optionsOf.set(words, [...(optionsOf.get(words) ?? []), ...options]);
  }
  for (const [words, options] of optionsOf) {
    const { code, stdout } = await run(`${words} --help`, { dataDir });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`petstore ${words}`)]);
    for (const option of options) expect(stdout).toContain(`${option} `);
  }
  expect(optionsOf.size).toBeGreaterThan(5);
});

test('the commands under "Orders and pets" run as written', async () => {
  const [, block = ''] = /## Orders and pets.*?```sh\n(.*?)```/s.exec(textOf('apps/server/README.md')) ?? [];
  const dataDir = newFolder();
  const file = path.join(dataDir, 'orders.ndjson');
  writeFileSync(file, '{"id":3}\n');
  expect(await run(`orders import ${file}`, { dataDir })).toMatchObject({ code: 0 });
  const script = `petstore() { "${process.execPath}" "${bin}" "$@"; }\n${block.replaceAll('npx --no-install ', '')}`;
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
  });
  expect(stdout).toMatch(/^pst_.*Order 3 is shipped\./s);
});
