import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Program, describeWith, freePorts, mistakesInDeploy, startNginx } from '@petstore/local-stack';
import { WELL_FORMED_REQUEST_ID } from '@petstore/contract/service';
import { readConfig } from '../src/config.ts';
import { servePetstore } from './support/command.ts';
import { expectError, rateLimitIn } from './support/expect.ts';
import { newFolder } from './support/folder.ts';
import { answerTo } from './support/raw.ts';
import { startTestService, type TestService } from './support/service.ts';

/* The configuration that `deploy` has for operators, in front of the real service. */

describeWith(['nginx'], 'behind the nginx of deploy/', () => {
  let folder: string;
  const programs: Program[] = [];
  let service: TestService;
  /** An entry to one instance that answers, and to two that are down. */
  let entry: string;
  /** An entry whose instances are all down. */
  let closed: string;

  beforeAll(async () => {
    folder = newFolder();
    chmodSync(folder, 0o711);
    service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' }, checksReplies: false });
    await service.addOrders([{ id: 1 }]);
    const [port = 0, portOfClosed = 0, ...down] = await freePorts(4);
    const instance = Number(new URL(service.origin).port);
    programs.push(
      await startNginx({ folder: path.join(folder, 'one'), port, instances: [...down, instance] }),
      await startNginx({ folder: path.join(folder, 'none'), port: portOfClosed, instances: down }),
    );
    entry = `http://127.0.0.1:${port}`;
    closed = `http://127.0.0.1:${portOfClosed}`;
  });

  afterAll(async () => {
    await Promise.all(programs.map((program) => program.end('SIGTERM')));
  });

  const list = (origin: string, headers: Record<string, string> = {}) =>
    fetch(`${origin}/v1/store/orders`, { headers });

  test('what is there to be copied is valid as it is', () => {
    expect(mistakesInDeploy(newFolder())).toBeUndefined();
  });

  test('answers come through as they are, and instances that are down are passed over', async () => {
    const authorization = `Bearer ${await service.key()}`;
    for (let remaining = 999; remaining > 989; remaining -= 1) {
      const response = await list(entry, { authorization, 'x-request-id': `mine-${remaining}` });
      expect([response.status, await response.json()]).toEqual([200, [{ id: 1 }]]);
      expect(response.headers.get('x-request-id')).toBe(`mine-${remaining}`);
      expect(rateLimitIn(response.headers).remaining).toBe(remaining);
    }
    const cancelled = await fetch(`${entry}/v1/store/orders/1`, {
      method: 'DELETE',
      headers: { authorization },
    });
    expect(cancelled.status).toBe(204);
  });

  test('the log of nginx names the instance that answered, and holds neither query nor key', async () => {
    const key = await service.key();
    const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    for (const path of [key, encoded, encoded.toUpperCase()])
      await fetch(`${entry}/v1/pets/before-${path}/after`, { headers: { 'x-request-id': 'with-key' } });
    await fetch(`${entry}/v1/store/orders?secret=${key}`, {
      headers: { authorization: `Bearer ${key}`, 'x-request-id': 'logged' },
    });
    const lines = readFileSync(path.join(folder, 'one/access.log'), 'utf8').trim().split('\n');
    const line = lines
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find(({ id }) => id === 'logged');
    expect(line).toMatchObject({
      method: 'GET',
      path: '/v1/store/orders',
      status: 400,
      instance_status: '400',
    });
    expect(line?.['instance']).toContain(new URL(service.origin).host);
    const withKey = lines.filter((text) => text.includes('"id":"with-key"'));
    expect(withKey.map((text) => (JSON.parse(text) as { path: string }).path)).toEqual(
      Array(3).fill('/v1/pets/before-pst_…'),
    );
    for (const secret of ['secret', key.slice(4), encoded.slice(12)])
      expect(lines.join().toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test('the documents name the address that the client used, with its port', async () => {
    const { servers } = (await (await fetch(`${entry}/openapi.json`)).json()) as {
      servers: { url: string }[];
    };
    expect(servers[0]?.url).toBe(`${entry}/v1`);
  });

  test('a forged X-Forwarded-For changes nothing', async () => {
    const first = rateLimitIn((await list(entry, { 'x-forwarded-for': '203.0.113.1' })).headers);
    const second = rateLimitIn((await list(entry, { 'x-forwarded-for': '203.0.113.2' })).headers);
    expect(second.remaining).toBe(Number(first.remaining) - 1);
  });

  test('while no instance answers, the answer is 503 with Retry-After', async () => {
    const response = await list(closed, { 'x-request-id': 'mine' });
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('x-request-id')).toBe('mine');
    expect(response.headers.get('cache-control')).toBe('no-store');
    await expectRefusal(response, 'service_unavailable', 503);
  });

  test('an id that holds a key is not sent back', async () => {
    const key = await service.key();
    const response = await list(closed, { 'x-request-id': key });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('headers too large for the service are refused by it, with its X-RateLimit headers', async () => {
    const response = await answerTo(
      entry,
      `GET /v1/store/orders HTTP/1.1\r\nHost: h\r\nX-Long: ${'x'.repeat(20_000)}\r\nConnection: close\r\n\r\n`,
    );
    expect(rateLimitIn(response.headers).limit).toBe(60);
    await expectError(response, 'request_header_fields_too_large');
  });

  const get = (headers: string) =>
    `GET /v1/store/orders HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${headers}\r\n`;
  test.concurrent.each([
    ['headers of 40 kB', get(`X-Long: ${'x'.repeat(40_000)}\r\n`), 'request_header_fields_too_large', 431],
    [
      'an address of 40 kB',
      `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: h\r\n\r\n`,
      'request_header_fields_too_large',
      431,
    ],
    ['what is no HTTP', 'nonsense\r\n\r\n', 'invalid_request', 400],
    ['a missing Host', 'GET /v1/store/orders HTTP/1.1\r\n\r\n', 'invalid_request', 400],
    ['another version of HTTP', 'GET / HTTP/7.0\r\nHost: h\r\n\r\n', 'invalid_request', 400],
    ['an unknown transfer coding', get('Transfer-Encoding: rot13\r\n'), 'invalid_request', 400],
    ['a body of 2 MB', get('Content-Length: 2000000\r\n'), 'invalid_request', 400],
    [
      'TRACE',
      'TRACE /v1/store/orders HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
      'method_not_allowed',
      405,
    ],
    [
      'the metrics',
      'GET /v1/../%6detrics?x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
      'not_found',
      404,
    ],
    [
      'an address of its own',
      'GET /.nginx/503 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
      'not_found',
      404,
    ],
  ] as const)('nginx answers %s with an Error object', async (_what, request, code, status) => {
    const response = await answerTo(entry, request);
    expect(response.headers.has('allow')).toBe(status === 405);
    expect(response.headers.has('retry-after')).toBe(false);
    await expectRefusal(response, code, status);
  });

  test('the message about TRACE does not name the method of an allowed request', async () => {
    const response = await answerTo(entry, 'TRACE / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(await response.json()).toMatchObject({ message: 'The method is not allowed here.' });
  });

  describe('agrees with the service', () => {
    const textOf = (file: string) => readFileSync(path.join(import.meta.dirname, '../../..', file), 'utf8');
    const conf = textOf('deploy/nginx.conf');
    const [beforeUpstream = '', upstream = ''] = conf.split('upstream petstore {');

    /** Seconds of a directive of nginx. */
    const secondsIn = (text: string, directive: string) =>
      Number(new RegExp(`^ *${directive} (\\d+)s;`, 'm').exec(text)?.[1]);
    /** Seconds of a time-out of the service. */
    const secondsOf = (name: string) => {
      const source = textOf('apps/server/src/listener/listener.ts');
      return Number(new RegExp(`${name}: ([\\d_]+)`).exec(source)?.[1]?.replace('_', '')) / 1000;
    };

    test('nginx cuts a slow client off when an instance would', () => {
      expect(secondsIn(beforeUpstream, 'client_header_timeout')).toBe(secondsOf('headersTimeout'));
      expect(secondsIn(beforeUpstream, 'client_body_timeout')).toBe(secondsOf('requestTimeout'));
    });

    test('nginx closes an idle connection before an instance does', () => {
      expect(secondsIn(upstream, 'keepalive_timeout')).toBeLessThan(secondsOf('keepAliveTimeout'));
    });

    test('nginx takes the same request ids', () => {
      const [, form] = /"~\^\(\?!\.\*pst_\)(.*)\$" \$http_x_request_id;/.exec(conf) ?? [];
      expect(`^${form?.replace('A-Za-z0-9_', '\\w')}$`).toBe(
        WELL_FORMED_REQUEST_ID.source.replace('\\/', '/'),
      );
    });
  });

  test.each(['petstore-upstream.conf', 'compose.yaml'])(
    'by %s it has come back to an instance before the next one is gone',
    (name) => {
      const text = readFileSync(path.join(import.meta.dirname, '../../../deploy', name), 'utf8');
      const pauses = [...text.matchAll(/fail_timeout=(\d+)s/g)].map(([, seconds]) => Number(seconds));
      expect(pauses).toHaveLength(2);
      // nginx counts in whole seconds, so that it may be one more.
      for (const pause of pauses) expect(pause + 1).toBeLessThan(readConfig({}).shutdownDelaySeconds);
    },
  );

  test.concurrent('instances that are restarted, each once the other is ready, fail no request', async () => {
    const [port = 0, ...instances] = await freePorts(3);
    const entry = `http://127.0.0.1:${port}/openapi.json`;
    const serve = (instance: number) =>
      // As it is shipped: with the delay that there is unless one is set.
      servePetstore({ dataDir: newFolder(), env: { SHUTDOWN_DELAY_SECONDS: '' } }, ['--port', `${instance}`]);
    const servers = await Promise.all(instances.map(serve));
    programs.push(await startNginx({ folder: path.join(folder, 'two'), port, instances }));
    const statuses = new Set<number>();
    let isOver = false;
    const client = async () => {
      // Some hundred requests a second, which leave the processor to the instances that start.
      for (; !isOver; await sleep(10)) statuses.add((await fetch(entry)).status);
    };
    const clients = Promise.all([client(), client(), client(), client()]);
    for (const [index, instance] of instances.entries()) {
      await servers[index]?.kill('SIGTERM');
      servers[index] = await serve(instance);
    }
    isOver = true;
    await clients;
    expect([...statuses]).toEqual([200]);
  });
});

/** What the contract says of an error, but for the X-RateLimit headers, which only an instance can fill in. */
async function expectRefusal(response: Response, code: string, status: number): Promise<void> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('x-request-id')).toMatch(/./);
  expect(await response.json()).toEqual({ code, status, message: expect.any(String) as string });
}
