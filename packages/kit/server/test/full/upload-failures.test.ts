import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith, freePort } from '@contract-kit/test-support';
import {
  commandsOf,
  newFolder,
  shared,
  startPostgres,
  startRedis,
  startRelay,
  until,
} from '@contract-kit/test-support/testing';
import { connectRaw, responsesIn } from '../../src/testing/raw.ts';
import { createClock } from '../../src/testing/service.ts';
import { storedUploads } from '../library/stored-uploads.ts';
import { createTestTools } from '../support/tools.ts';

/* What happens to a body that is arriving, slowly, when something else happens. Its handler is called at its end. */

const tools = createTestTools(storedUploads);
type Service = Awaited<ReturnType<typeof tools.startTestService>>;

const CONTENT = 'y'.repeat(200_000);
const BODIES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'a form': [
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\n${CONTENT}\r\n--b--\r\n`,
  ],
  'a file': ['image/png', CONTENT],
  JSON: ['application/json', JSON.stringify({ text: CONTENT.slice(0, 50_000) })],
};
const KINDS = Object.keys(BODIES);

/** Half of a request. `finish` sends the rest, and resolves to the status of its response; 0 if there is none. */
async function begin(origin: string, key: string, kind: string) {
  const [type = '', body = ''] = BODIES[kind] ?? [];
  const socket = connectRaw(origin).setEncoding('latin1');
  let received = '';
  socket.on('data', (text: string) => (received += text));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const head = `PUT /uploads HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n`;
  const announced = `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const half = body.length / 2;
  await new Promise((sent) => socket.write(head + announced + body.slice(0, half), 'latin1', sent));
  const status = async () => {
    await closed;
    return responsesIn(received)[0]?.status ?? 0;
  };
  return {
    socket,
    status,
    finish: () => {
      socket.write(body.slice(half), 'latin1');
      return status();
    },
  };
}

const count = ({ store }: Service) => store.features.uploads.count();

/** Waits until the service has the head of a request that was sent before. */
const isUnderWay = async ({ request }: Pick<Service, 'request'>) => {
  for (let times = 0; times < 3; times += 1) expect((await request('/healthz')).status).toBe(200);
};

describe.each(KINDS)('%s that is arriving', (kind) => {
  test('changes nothing if its client leaves', async () => {
    const service = await tools.startTestService();
    const key = await service.unlimitedKey();
    const { socket, status } = await begin(service.origin, key, kind);
    await isUnderWay(service);
    socket.destroy();
    expect(await status()).toBe(0);
    await until(() => service.logged.some((line) => line['path'] === '/uploads'));
    expect(await count(service)).toBe(0);
    expect(await (await begin(service.origin, key, kind)).finish()).toBe(201);
  });

  test('is stored if its end arrives within the grace period of a stop', async () => {
    const service = await tools.startTestService();
    const { finish } = await begin(service.origin, await service.unlimitedKey(), kind);
    await isUnderWay(service);
    const stopped = service.stop();
    await until(() =>
      service.request('/healthz').then(
        () => false,
        () => true,
      ),
    );
    expect(await finish()).toBe(201);
    await stopped;
    await tools.withStore(service.dataDir, async (store) =>
      expect(await store.features.uploads.count()).toBe(1),
    );
  });

  test('changes nothing if it arrives after the grace period of a stop', async () => {
    const service = await tools.startTestService({ env: { SHUTDOWN_GRACE_SECONDS: '1' } });
    const { status } = await begin(service.origin, await service.unlimitedKey(), kind);
    await isUnderWay(service);
    await service.stop();
    expect(await status()).toBe(0);
    await tools.withStore(service.dataDir, async (store) =>
      expect(await store.features.uploads.count()).toBe(0),
    );
  });

  test('is not affected by clocks that step', async () => {
    const service = await tools.startTestService({ monotonic: createClock(0) });
    const { finish } = await begin(service.origin, await service.unlimitedKey(), kind);
    await isUnderWay(service);
    for (const hours of [24, -48]) service.clock.advance(hours * 3_600_000);
    expect(await finish()).toBe(201);
  });
});

const wantedKey = {
  ...{ name: 'test', plan: 'enterprise', now: new Date() },
  quota: { perMinute: 10_000, perDay: 10_000 },
};
const command = commandsOf('library', [
  '--import',
  'tsx',
  path.join(__dirname, '../library/stored-uploads.ts'),
]);

test('what is arriving at a kill -9 changes nothing, and may be sent again', async () => {
  const dataDir = newFolder();
  const before = await command.serve({ dataDir });
  const { key } = await tools.withStore(dataDir, async ({ keys }) => tools.createKey(keys, wantedKey));
  const begun = await Promise.all(KINDS.map((kind) => begin(before.origin, key, kind)));
  await before.kill('SIGKILL');
  expect(await Promise.all(begun.map(({ status }) => status()))).toEqual([0, 0, 0]);
  await tools.withStore(dataDir, async (store) => expect(await store.features.uploads.count()).toBe(0));
  const after = await command.serve({ dataDir });
  for (const kind of KINDS) expect(await (await begin(after.origin, key, kind)).finish()).toBe(201);
});

describeWith(['unshare'], 'on a disk that is full, what is arriving', () => {
  test('gets 503 at its end, changes nothing, and may be sent again when there is space', async () => {
    const [prepared, dataDir, copy] = [newFolder(), newFolder(), newFolder()];
    const { key } = await tools.withStore(prepared, ({ keys }) => tools.createKey(keys, wantedKey));
    const mount = `mount -t tmpfs -o size=4m tmpfs ${dataDir} && cp ${prepared}/* ${dataDir}`;
    const server = await command.serve({ dataDir, mount });
    // The folder as the service sees it.
    const folder = `/proc/${server.pid}/root${dataDir}`;
    const begun = await Promise.all(KINDS.map((kind) => begin(server.origin, key, kind)));
    const filler = path.join(folder, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow('ENOSPC');
    const send = async () => (await begin(server.origin, key, 'a file')).finish();
    // The write-ahead log has free pages at first.
    let stored = 0;
    for (; (await send()) === 201;) stored += 1;
    expect(await Promise.all(begun.map(({ finish }) => finish()))).toEqual([503, 503, 503]);
    rmSync(filler);
    await until(async () => (await send()) === 201);
    for (const name of readdirSync(folder))
      if (name.startsWith('store.db')) copyFileSync(path.join(folder, name), path.join(copy, name));
    await tools.withStore(copy, async (store) =>
      expect(await store.features.uploads.count()).toBe(stored + 1),
    );
  });
});

describe.each(KINDS)('%s that is arriving, of a caller that may no longer send it,', (kind) => {
  test('gets 429 if its key is banned, within 5 seconds', async () => {
    const service = await tools.startTestService();
    const quota = { perMinute: 3, perDay: 100 };
    const { key } = await service.keyWithId('enterprise', quota);
    const { status } = await begin(service.origin, key, kind);
    await isUnderWay(service);
    const last = () => service.request('/uploads?unknown', { method: 'PUT', key });
    await until(async () => ((await (await last()).json()) as { code: string }).code === 'api_key_banned');
    service.clock.advance(5_000);
    expect(await status()).toBe(429);
    expect(await count(service)).toBe(0);
  });

  test('gets 401 if its token expires', async () => {
    const clock = createClock();
    const expiresAt = new Date(clock() + 60_000);
    const identity = { id: 'user:1', plan: 'enterprise', quota: { perMinute: 100, perDay: 100 }, expiresAt };
    const authenticate = () => Promise.resolve(identity);
    const service = await createTestTools({ ...storedUploads, authenticate }).startTestService({ clock });
    const { status } = await begin(service.origin, 'a-token', kind);
    await isUnderWay(service);
    clock.advance(65_000);
    expect(await status()).toBe(401);
    expect(await count(service)).toBe(0);
  });
});

describeWith(['PostgreSQL'], 'with PostgreSQL, what is arriving', () => {
  const primary = shared(startPostgres);
  let relay: Awaited<ReturnType<typeof startRelay>>;
  let service: Service;
  let key: string;

  beforeEach(async () => {
    relay = await startRelay(primary.port);
    const url = new URL(await primary.createDatabase());
    url.port = String(relay.port);
    service = await tools.startTestService({ env: { DATABASE_URL: url.href } });
    key = await service.unlimitedKey();
    // So that its look-up is remembered.
    expect(await (await begin(service.origin, key, 'a file')).finish()).toBe(201);
  });

  const beginAll = async () => {
    const begun = await Promise.all(KINDS.map((kind) => begin(service.origin, key, kind)));
    await isUnderWay(service);
    return begun;
  };
  const goAway = async () => {
    relay.moveTo(await freePort());
    relay.cut();
  };
  const comeBack = async (port = primary.port) => {
    relay.moveTo(port);
    await until(async () => (await service.readiness())[0] === 200);
  };

  test('is stored after an outage that is over before its end', async () => {
    const begun = await beginAll();
    await goAway();
    await until(async () => (await service.readiness())[0] === 503);
    await comeBack();
    expect(await Promise.all(begun.map(({ finish }) => finish()))).toEqual([201, 201, 201]);
    expect(await count(service)).toBe(4);
  });

  test('gets 503 if it ends during an outage, changes nothing, and may be sent again', async () => {
    const begun = await beginAll();
    await goAway();
    expect(await Promise.all(begun.map(({ finish }) => finish()))).toEqual([503, 503, 503]);
    await comeBack();
    expect(await count(service)).toBe(1);
    expect(await (await begin(service.origin, key, 'a form')).finish()).toBe(201);
  });

  test('is stored by the new primary after a failover by name', async () => {
    const begun = await beginAll();
    const standby = await startPostgres({ standbyOf: primary.port });
    await primary.run('ALTER SYSTEM SET default_transaction_read_only = on');
    await primary.run('SELECT pg_reload_conf()');
    await standby.run('SELECT pg_promote()');
    relay.moveTo(standby.port);
    const statuses = await Promise.all(begun.map(({ finish }) => finish()));
    // The first statement finds out that its server is read-only.
    for (const status of statuses) expect([201, 503]).toContain(status);
    await until(async () => (await (await begin(service.origin, key, 'a file')).finish()) === 201);
    expect(await count(service)).toBe(statuses.filter((status) => status === 201).length + 2);
  });
});

describeWith(['PostgreSQL', 'Redis'], 'with Redis, what is arriving', () => {
  const postgres = shared(startPostgres);

  test('is stored if Redis goes away', async () => {
    const redis = await startRedis();
    const env = { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url };
    const service = await tools.startTestService({ env });
    const key = await service.unlimitedKey();
    const begun = await Promise.all(KINDS.map((kind) => begin(service.origin, key, kind)));
    await isUnderWay(service);
    await redis.stop();
    expect(await Promise.all(begun.map(({ finish }) => finish()))).toEqual([201, 201, 201]);
  });
});
