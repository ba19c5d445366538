import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { petstore, servePetstore, type ServedPetstore } from './support/command.ts';
import { newFolder, removeFolders } from './support/folder.ts';
import { standingIn } from './support/expect.ts';
import { connectRaw } from './support/raw.ts';
import { until } from './support/until.ts';

// Each command is a process of its own, on a machine that may be busy.
jest.setTimeout(30_000);

const served: ServedPetstore[] = [];
afterEach(async () => {
  await Promise.all(served.splice(0).map((each) => each.kill('SIGKILL')));
});
afterAll(removeFolders);

async function serve(dataDir: string, env?: Record<string, string>): Promise<ServedPetstore> {
  const started = await servePetstore({ dataDir, ...(env && { env }) });
  served.push(started);
  return started;
}

async function createKey(dataDir: string, plan = 'free'): Promise<{ id: string; key: string }> {
  const { stdout } = await petstore(['keys', 'create', '--plan', plan, '--name', 't', '--json'], { dataDir });
  return JSON.parse(stdout) as { id: string; key: string };
}

const importOrders = (dataDir: string, count: number) =>
  petstore(['orders', 'import', '-'], {
    dataDir,
    input: Array.from({ length: count }, (_, index) => JSON.stringify({ id: index + 1 })).join('\n'),
  });

const request = ({ origin }: ServedPetstore, key: string, target = '/v1/store/orders', method = 'GET') =>
  fetch(`${origin}${target}`, { method, headers: { authorization: `Bearer ${key}` } });

test('the other commands work beside a server, which takes note', async () => {
  const dataDir = newFolder();
  const server = await serve(dataDir);
  const { id, key } = await createKey(dataDir);
  expect(await (await request(server, key)).json()).toEqual([]);
  await importOrders(dataDir, 2);
  expect(await (await request(server, key)).json()).toEqual([{ id: 1 }, { id: 2 }]);
  await petstore(['orders', 'ship', '2'], { dataDir });
  expect((await request(server, key, '/v1/store/orders/2', 'DELETE')).status).toBe(409);
  await petstore(['keys', 'revoke', id], { dataDir });
  await until(async () => (await request(server, key)).status === 401, { within: 5_500 });
});

test('nothing is seeded in production, and no key is printed or logged', async () => {
  const dataDir = newFolder();
  const server = await serve(dataDir);
  const { key } = await createKey(dataDir);
  await request(server, key);
  await request(server, `${key}x`);
  await request(server, key, `/v1/store/orders?key=${key}`);
  await request(server, key, `/v1/store/orders/${key}`, 'DELETE');
  await fetch(`${server.origin}/v1/pets/1`, { headers: { 'x-request-id': key } });
  expect(await (await request(server, key)).json()).toEqual([]);
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(server.output.stdout + server.output.stderr).not.toContain(key);
});

test('outside production an empty store is filled, and the printed curl line works at every start', async () => {
  const dataDir = newFolder();
  const lines: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    const server = await serve(dataDir, { NODE_ENV: 'development' });
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

test('kill -9 undoes no cancel that was answered, nor a ban, nor counters older than a second', async () => {
  const dataDir = newFolder();
  await importOrders(dataDir, 40);
  const [{ key }, { key: banned }, { key: counted }] = [
    await createKey(dataDir, 'pro'),
    await createKey(dataDir),
    await createKey(dataDir),
  ];
  const server = await serve(dataDir);
  for (let index = 0; index < 5; index += 1) await request(server, counted);
  await until(async () => {
    const { rows } = await counters(dataDir);
    return rows.some(({ minuteCount }) => minuteCount === 5);
  });
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
  const { stdout } = await petstore(['orders', 'list', '--status', 'cancelled', '--json'], { dataDir });
  expect(JSON.parse(stdout)).toHaveLength(40);
  const refused = await request(again, banned);
  expect(await refused.json()).toMatchObject({ code: 'api_key_banned' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(840);
  expect(standingIn((await request(again, counted)).headers).remaining).toBe(54);
});

/** The rows that the embedded limiter has written so far. */
async function counters(dataDir: string): Promise<{ rows: { minuteCount: number }[] }> {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(path.join(dataDir, 'limits.db'), { readonly: true });
  const rows = database.prepare<[], { minuteCount: number }>('SELECT minuteCount FROM counters').all();
  database.close();
  return { rows };
}

test('SIGTERM lets requests under way finish, stores the counters and exits 0', async () => {
  const dataDir = newFolder();
  await importOrders(dataDir, 20_000);
  const { key } = await createKey(dataDir);
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
  expect(standingIn((await request(again, key)).headers).remaining).toBe(58);
});

test('an idle connection and half a request do not keep it from stopping', async () => {
  const server = await serve(newFolder());
  const idle = connectRaw(server.origin);
  const half = connectRaw(server.origin);
  for (const socket of [idle, half]) socket.on('error', () => undefined).resume();
  half.write('GET /v1/store/orders HT');
  await fetch(`${server.origin}/healthz`);
  const started = performance.now();
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('a second server on one DATA_DIR is refused with a line that says who holds it', async () => {
  const dataDir = newFolder();
  const server = await serve(dataDir);
  const { code, stdout, stderr } = await petstore(['serve', '--port', '0'], { dataDir });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^petstore: DATA_DIR \S+ is being served already by process \d+ [^\n]+\n$/);
  const { pid } = JSON.parse(readFileSync(path.join(dataDir, 'serve.json'), 'utf8')) as { pid: number };
  expect(stderr).toContain(`process ${pid} `);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
});

test('a server that was killed leaves no lock behind', async () => {
  const dataDir = newFolder();
  await (await serve(dataDir)).kill('SIGKILL');
  expect((await fetch(`${(await serve(dataDir)).origin}/readyz`)).status).toBe(200);
});

test('a port that is taken is a failure that names it', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  await until(() => other.listening);
  const { port } = other.address() as net.AddressInfo;
  const { code, stderr } = await petstore(['serve', '--port', String(port)], { dataDir: newFolder() });
  other.close();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^petstore: [^\n]+\n$/);
  expect(stderr).toContain(`port ${port} is taken on 127.0.0.1`);
});

test('a host that is none is a failure that names it', async () => {
  const { code, stderr } = await petstore(['serve', '--port', '0', '--host', '192.0.2.1'], {
    dataDir: newFolder(),
  });
  expect(code).toBe(1);
  expect(stderr).toContain('192.0.2.1 is not an address of this machine');
});

test('connections beyond MAX_CONNECTIONS are turned away, and room is made again', async () => {
  const server = await serve(newFolder(), { MAX_CONNECTIONS: '2' });
  const sockets = [connectRaw(server.origin), connectRaw(server.origin), connectRaw(server.origin)];
  for (const socket of sockets) socket.on('error', () => undefined).resume();
  await until(() => sockets.filter((socket) => socket.closed).length === 1);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await fetch(`${server.origin}/healthz`).catch(() => undefined))?.status === 200);
});
