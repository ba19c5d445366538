import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { PlanId } from '@petstore/contract';
import Database from 'better-sqlite3';
import { filesIn } from '../src/data-dir.ts';
import { createKey } from '../src/keys/create-key.ts';
import { openCountersFile } from '../src/limits/counters-file.ts';
import { openSqliteStore } from '../src/store/open-sqlite-store.ts';
import type { Store } from '../src/store/store.ts';
import { petstore, servePetstore, type ServedPetstore } from './support/command.ts';
import { newFolder, removeFolders } from './support/folder.ts';
import { expectError, rateLimitIn } from './support/expect.ts';
import { connectRaw, responsesIn, sendRaw } from './support/raw.ts';
import { removeTestFolders, startTestService } from './support/service.ts';
import { until } from './support/until.ts';

const served: ServedPetstore[] = [];
afterEach(async () => {
  await Promise.all(served.splice(0).map((each) => each.kill('SIGKILL')));
});
afterAll(() => {
  removeFolders();
  removeTestFolders();
});

async function serve(dataDir: string, args: readonly string[] = []): Promise<ServedPetstore> {
  const started = await servePetstore({ dataDir }, args);
  served.push(started);
  return started;
}

/** Works on the store as the other commands do, without a process for each. */
async function withStore<Result>(dataDir: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = openSqliteStore(dataDir);
  return work(store).finally(() => store.close());
}

const newKey = (dataDir: string, plan: PlanId = 'free') =>
  withStore(dataDir, (store) => createKey(store.keys, { name: 't', plan, now: new Date() }));

const addOrders = (dataDir: string, count: number) =>
  withStore(dataDir, async ({ orders }) => {
    const underway = await orders.beginImport();
    await underway.stage(
      Array.from({ length: count }, (_, index) => ({ id: index + 1, status: 'pending', line: index + 1 })),
    );
    await underway.commit();
  });

const request = ({ origin }: ServedPetstore, key: string, target = '/v1/store/orders', method = 'GET') =>
  fetch(`${origin}${target}`, { method, headers: { authorization: `Bearer ${key}` } });

test('the other commands work beside a server, which takes note', async () => {
  const dataDir = newFolder();
  const server = await serve(dataDir);
  const create = await petstore(['keys', 'create', '--plan', 'free', '--name', 't', '--json'], { dataDir });
  const { id, key } = JSON.parse(create.stdout) as { id: string; key: string };
  expect(await (await request(server, key)).json()).toEqual([]);
  await petstore(['orders', 'import', '-'], { dataDir, input: '[{"id":1},{"id":2}]' });
  expect(await (await request(server, key)).json()).toEqual([{ id: 1 }, { id: 2 }]);
  await petstore(['orders', 'ship', '2'], { dataDir });
  expect((await request(server, key, '/v1/store/orders/2', 'DELETE')).status).toBe(409);
  await petstore(['keys', 'revoke', id], { dataDir });
  await until(async () => (await request(server, key)).status === 401);
});

test('serve by itself fills nothing and makes no key, and no key is printed or logged', async () => {
  const dataDir = newFolder();
  const server = await serve(dataDir);
  expect(await withStore(dataDir, ({ keys }) => keys.list())).toEqual([]);
  const { key } = await newKey(dataDir);
  await request(server, key);
  await request(server, `${key}x`);
  await request(server, key, `/v1/store/orders?key=${key}`);
  await request(server, key, `/v1/store/orders/${key}`, 'DELETE');
  await fetch(`${server.origin}/v1/pets/1`, { headers: { 'x-request-id': key } });
  expect(await (await request(server, key)).json()).toEqual([]);
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(server.output.stdout + server.output.stderr).not.toContain(key);
});

test('with --demo an empty store is filled, and the printed curl line works at every start', async () => {
  const dataDir = newFolder();
  const lines: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    const server = await serve(dataDir, ['--demo']);
    await until(() => /curl .*\/v1\/store\/orders\n/.test(server.output.stdout));
    const [, key = '', url = ''] =
      /curl -H 'Authorization: Bearer (\S+)' (\S+)\n/.exec(server.output.stdout) ?? [];
    lines.push(key);
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect(((await response.json()) as unknown[]).length).toBeGreaterThan(0);
    expect(await server.kill('SIGINT')).toBe(0);
  }
  expect(lines[0]).toBe(lines[1]);
});

test('with --demo a store that has orders is left as it is', async () => {
  const dataDir = newFolder();
  await addOrders(dataDir, 1);
  const { key } = await newKey(dataDir);
  expect(await (await request(await serve(dataDir, ['--demo']), key)).json()).toEqual([{ id: 1 }]);
});

test('a reply that breaks the contract goes out as it is, and is a 500 with --check-replies', async () => {
  const dataDir = newFolder();
  await addOrders(dataDir, 1);
  const { key } = await newKey(dataDir);
  const database = new Database(filesIn(dataDir).store);
  database.pragma('ignore_check_constraints = ON');
  database.exec('UPDATE orders SET quantity = -1');
  database.close();
  const server = await serve(dataDir);
  expect((await request(server, key)).status).toBe(200);
  await server.kill('SIGTERM');
  expect((await request(await serve(dataDir, ['--check-replies']), key)).status).toBe(500);
});

test('kill -9 undoes no cancel that was answered, nor a ban, nor counters older than a second', async () => {
  const dataDir = newFolder();
  await addOrders(dataDir, 40);
  const [{ key }, { key: banned }, { key: counted }] = [
    await newKey(dataDir, 'pro'),
    await newKey(dataDir),
    await newKey(dataDir),
  ];
  const server = await serve(dataDir);
  for (let index = 0; index < 5; index += 1) await request(server, counted);
  await until(() => storedCounts(dataDir).includes(5));
  await Promise.all(Array.from({ length: 125 }, () => request(server, banned)));
  expect(await (await request(server, banned)).json()).toMatchObject({ code: 'api_key_banned' });
  const statuses = await Promise.all(
    Array.from(
      { length: 40 },
      async (_, index) => (await request(server, key, `/v1/store/orders/${index + 1}`, 'DELETE')).status,
    ),
  );
  await server.kill('SIGKILL');
  expect(new Set(statuses)).toEqual(new Set([204]));

  const again = await serve(dataDir);
  const pending = await withStore(dataDir, async ({ orders }) => {
    for await (const page of orders.storedBatches('pending')) return page;
    return [];
  });
  expect(pending).toEqual([]);
  const refused = await request(again, banned);
  expect(await refused.json()).toMatchObject({ code: 'api_key_banned' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(840);
  expect(rateLimitIn((await request(again, counted)).headers).remaining).toBe(54);
});

/** The requests per minute that the embedded limiter has written so far, by account. */
function storedCounts(dataDir: string): number[] {
  const file = openCountersFile(filesIn(dataDir).counters);
  const counts = [...file.load()].map(([, { minuteCount }]) => minuteCount);
  file.close();
  return counts;
}

test('SIGTERM lets requests under way finish, stores the counters and exits 0', async () => {
  const dataDir = newFolder();
  await addOrders(dataDir, 20_000);
  const { key } = await newKey(dataDir);
  const server = await serve(dataDir);
  const socket = connectRaw(server.origin);
  let received = '';
  socket.write(`GET /v1/store/orders HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  await until(() => received !== '');
  socket.pause();
  const stopping = server.kill('SIGTERM');
  await until(() => server.output.stdout.includes('stopping'));
  socket.resume();
  expect(await stopping).toBe(0);
  const body = received.slice(received.indexOf('\r\n\r\n') + 4);
  expect(JSON.parse(body)).toHaveLength(20_000);
  expect(server.output.stdout).toContain('"stopped"');
  const again = await serve(dataDir);
  expect(rateLimitIn((await request(again, key)).headers).remaining).toBe(58);
});

test('an idle connection and half a request do not keep it from stopping', async () => {
  const service = await startTestService({ env: { SHUTDOWN_GRACE_SECONDS: '3600' } });
  const idle = connectRaw(service.origin);
  const half = connectRaw(service.origin);
  for (const socket of [idle, half]) socket.on('error', () => undefined).resume();
  half.write('GET /v1/store/orders HT');
  await service.request('/healthz');
  await service.stop();
});

test('a second server on one DATA_DIR is refused with a line that says who holds it', async () => {
  const dataDir = newFolder();
  const server = await serve(dataDir);
  const { code, stdout, stderr } = await petstore(['serve', '--port', '0'], { dataDir });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^petstore: DATA_DIR \S+ is being served already by process \d+ [^\n]+\n$/);
  const { pid } = JSON.parse(readFileSync(filesIn(dataDir).lockHolder, 'utf8')) as { pid: number };
  expect(stderr).toContain(`process ${pid} `);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
});

test('a port that is taken is a failure that names it, and leaves the folder to others', async () => {
  const other = await startTestService();
  const { port } = new URL(other.origin);
  const dataDir = newFolder();
  await expect(startTestService({ dataDir, env: { PORT: port } })).rejects.toThrow(
    `port ${port} is taken on 127.0.0.1`,
  );
  await other.stop();
  await (await startTestService({ dataDir })).stop();
});

test('a host that is none of this machine is a failure that names it', async () => {
  await expect(startTestService({ env: { HOST: '192.0.2.1' } })).rejects.toThrow(
    '192.0.2.1 is not an address of this machine',
  );
});

test('on connections beyond MAX_CONNECTIONS the answer is 503, and room is made again', async () => {
  const service = await startTestService({ env: { MAX_CONNECTIONS: '2' } });
  const sockets = Array.from({ length: 2 }, () => connectRaw(service.origin));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const [response, ...others] = responsesIn(
    await sendRaw(service.origin, 'GET /v1/store/orders HTTP/1.1\r\nHost: x\r\n\r\n'),
  );
  expect(others).toEqual([]);
  expect([response?.headers.get('connection'), response?.headers.get('retry-after')]).toEqual(['close', '1']);
  await expectError(response ?? new Response(), 'service_unavailable');
  expect(await sendRaw(service.origin, '')).toBe('');
  for (const socket of sockets) socket.destroy();
  await until(async () => (await service.request('/healthz').catch(() => undefined))?.status === 200);
  await service.stop();
});

test('junk after many requests is answered after all of them, and leaves no listeners behind', async () => {
  const server = await serve(newFolder());
  const requests = 'GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30);
  const statuses = responsesIn(await sendRaw(server.origin, requests, 'junk\r\n\r\n')).map(
    ({ status }) => status,
  );
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 400]);
  expect(await server.kill('SIGTERM')).toBe(0);
  // Node warns of listeners that pile up.
  expect(server.output.stderr).toBe('');
});
