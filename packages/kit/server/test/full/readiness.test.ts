import { closeSync, copyFileSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith, freePort } from '@contract-kit/test-support';
import {
  newFolder,
  startPostgres,
  startRedis,
  type TestRedis,
  shared,
  until,
} from '@contract-kit/test-support/testing';
import { atomic } from '../../src/index.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { importItems } from '@contract-kit/test-support/testing';
import {
  cancelledLoans,
  command,
  filesIn,
  newKey,
  numbered,
  startTestService,
  withStore,
  type TestService,
} from '../library/service.ts';
import { readingOf } from '../library/streaming.ts';
import { startOnSmallDisk } from '../support/small-disk.ts';

test('a store with a damaged page is not ready, even while other pages can be read', async () => {
  const first = await startTestService();
  const key = await first.key();
  await first.addLoans(numbered(5_000));
  await first.stop();
  const file = openSync(filesIn(first.dataDir).store, 'r+');
  for (let page = 14; page < 20; page += 1)
    writeSync(file, Buffer.alloc(4_096, 0xee), 0, 4_096, page * 4_096);
  closeSync(file);
  const service = await startTestService({ dataDir: first.dataDir });
  expect((await service.list(key)).status).toBe(503);
  const damaged = [503, 'the database: it is damaged: restore a backup into a new DATA_DIR'];
  expect(await service.readiness()).toEqual(damaged);
  expect(service.messages('database')).toHaveLength(1);
});

describeWith(['unshare'], 'the embedded store on a disk that is full', () => {
  test('fails changes with 503 and is not ready, serves reads, and recovers when there is space', async () => {
    const [prepared, dataDir, copy] = [newFolder(), newFolder(), newFolder()];
    const key = await withStore(prepared, async (store) => {
      await importItems(store.features.loans, numbered(500));
      return newKey(store);
    });
    const mount = `mount -t tmpfs -o size=4m tmpfs ${dataDir} && cp ${prepared}/* ${dataDir}`;
    const server = await command.serve({ dataDir, mount });
    // The folder as the service sees it.
    const folder = `/proc/${server.pid}/root${dataDir}`;
    const request = (method: string, target: string, body?: string) => {
      const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
      return fetch(`${server.origin}${target}`, { method, headers, ...(body && { body }) });
    };
    const cancel = async (id: number) => (await request('DELETE', `/v1/loans/${id}`)).status;
    expect(await cancel(1)).toBe(204);
    const read = readingOf(await request('GET', '/v1/loans/events'));
    await read('id: 500\n');

    const filler = path.join(folder, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow('ENOSPC');
    // The write-ahead log has free pages at first.
    const acknowledged = [1];
    let id = 2;
    await until(async () => {
      const status = await cancel(id);
      if (status === 204) acknowledged.push(id++);
      return status === 503;
    });
    expect((await request('GET', '/v1/loans')).status).toBe(200);
    const ready = await request('GET', '/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ reason: 'the database: the disk is full' }),
    ]);
    await until(() => server.output.stdout.includes('"database lost: the disk is full; '));

    rmSync(filler);
    await until(async () => (await request('GET', '/readyz')).status === 200);
    expect(await cancel(id)).toBe(204);
    // Its key could be looked up all the time.
    expect((await request('POST', '/v1/loans', '{"bookId":1}')).status).toBe(201);
    expect(await read('id: 501\n')).not.toContain('retry');
    for (const name of readdirSync(folder))
      if (name.startsWith('store.db')) copyFileSync(path.join(folder, name), path.join(copy, name));
    const cancelled = await withStore(copy, ({ features: { loans } }) => cancelledLoans(loans));
    expect(cancelled).toEqual([...acknowledged, id]);
  });
});

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);

  test('that is read-only, such as a standby, is not ready', async () => {
    const url = await postgres.createDatabase();
    const service = await startTestService({ env: { DATABASE_URL: url } });
    expect(await service.readiness()).toEqual([200, undefined]);
    const name = new URL(url).pathname.slice(1);
    await postgres.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await postgres.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    const readOnly = [503, 'the database: it is read-only or a standby'];
    await until(async () => JSON.stringify(await service.readiness()) === JSON.stringify(readOnly));
  });
});

describeWith(['PostgreSQL', 'unshare'], 'PostgreSQL on a disk that is full', () => {
  test('is not ready until there is space, even if small changes succeed, logs it once and locks no idempotency key', async () => {
    const { url, fill, empty } = await startOnSmallDisk();
    // Its response needs space.
    const notes = randomBytes(500_000).toString('base64');
    const emma = { name: 'Emma', kind: 'novel', author: null, price: 100 };
    const handler: AnyHandler = () =>
      service.store.transaction(() =>
        Promise.resolve({
          status: 201,
          headers: { Location: '/v1/books/1' },
          body: { ...emma, id: 1, asked: 1, notes },
        }),
      );
    const service: TestService = await startTestService({
      handlers: { createBook: atomic(handler) },
      env: { DATABASE_URL: url },
    });
    const key = await service.unlimitedKey();
    await service.addLoans(numbered(2_000));
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const create = () =>
      service.request('/v1/books', { method: 'POST', key, headers, body: JSON.stringify(emma) });
    const cancel = async (id: number) => (await service.cancel(id, key)).status;
    await fill();
    expect(await service.readiness()).toEqual([200, undefined]);
    let id = 0;
    await until(async () => (await cancel((id += 1))) === 503);
    for (let times = 0; times < 6; times += 1) {
      await sleep(500);
      expect(await service.readiness()).toEqual([503, 'the database: the disk is full']);
      expect([await cancel(id), await cancel(1), (await create()).status]).toEqual([503, 204, 503]);
    }
    await empty();
    await until(async () => (await service.readiness())[0] === 200);
    expect(await cancel(id)).toBe(204);
    expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
    expect(service.messages('database')).toEqual([
      'database lost: the disk is full; requests that need it get 503',
      'database back: requests are served again',
    ]);
  });
});

describeWith(['Redis'], 'Redis', () => {
  const redis = shared(() => startRedis('--requirepass', 'secret'));

  const at = (credentials: string) => redis.url.replace('redis://', `redis://${credentials}`);

  test.each([
    ['a wrong password', () => at(':wrong@'), /^Redis does not respond: WRONGPASS /, 503],
    ['no password', () => at(''), /^Redis does not respond: NOAUTH /, 503],
    ['an unknown host', () => 'redis://redis.invalid:6379', /: getaddrinfo \S+ redis.invalid; /, 200],
  ])('%s is named at the start, and no request fails', async (_, url, reason, status) => {
    const service = await startTestService({ env: { REDIS_URL: url() } });
    expect(service.messages('Redis')).toEqual([expect.stringMatching(reason)]);
    expect((await service.readiness())[0]).toBe(status);
    expect((await service.list(await service.key())).status).toBe(200);
  });

  describe('over TLS', () => {
    const folder = newFolder();
    const [certificate, privateKey] = ['certificate.pem', 'key.pem'].map((name) => path.join(folder, name));
    let secure: TestRedis;
    let url: string;

    beforeAll(async () => {
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
      const made = ['-newkey', 'rsa:2048', '-noenc', '-keyout', privateKey ?? '', '-out', certificate ?? ''];
      execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
      const port = await freePort();
      const files = ['--tls-cert-file', certificate ?? '', '--tls-key-file', privateKey ?? ''];
      const settings = ['--requirepass', 'secret', '--tls-port', String(port), '--tls-auth-clients', 'no'];
      secure = await startRedis(...settings, ...files);
      url = `rediss://127.0.0.1:${port}`;
    });

    afterAll(() => secure.stop());

    test.each([
      ['a certificate of nobody who is known', () => url, /: self-signed certificate; /],
      [
        'TLS to a port without it',
        () => secure.url.replace('redis:', 'rediss:'),
        / does only one side use TLS\?; /,
      ],
    ])('%s is named at the start, and no request fails', async (_, at, reason) => {
      const service = await startTestService({ env: { REDIS_URL: at() } });
      expect(service.messages('Redis')[0]).toMatch(reason);
      expect((await service.list(await service.key())).status).toBe(200);
    });

    test('a certificate in NODE_EXTRA_CA_CERTS and the right password are accepted', async () => {
      const env = {
        REDIS_URL: url.replace('rediss://', 'rediss://:secret@'),
        NODE_EXTRA_CA_CERTS: certificate ?? '',
      };
      const server = await command.serve({ dataDir: newFolder(), env });
      // On a busy machine Redis may be late. With a wrong certificate or password it never responds.
      const { output } = server;
      const isShared = () =>
        /Redis responds again/.test(output.stdout) || !/Redis does not/.test(output.stdout);
      await until(isShared);
      expect(await server.kill('SIGTERM')).toBe(0);
    });
  });
});
