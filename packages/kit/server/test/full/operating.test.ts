import { hostname } from 'node:os';
import { newFolder, until } from '@contract-kit/test-support/testing';
import { connectAll, sendRaw } from '../../src/testing/raw.ts';
import { command, startTestService, type TestService } from '../library/service.ts';

/* The log, health and metrics. */

const start = (env: Record<string, string> = {}) => startTestService({ env });

const lines = ({ logged }: TestService, msg: string) => logged.filter((line) => line['msg'] === msg);

test('every log line of a request has the address of its client, and the code of its error', async () => {
  const service = await start({ TRUST_PROXY: '127.0.0.1' });
  await service.request('/v1/loans', { headers: { 'x-forwarded-for': '203.0.113.7' } });
  await sendRaw(service.origin, 'nonsense\r\n\r\n');
  await until(() => lines(service, 'request').length === 2);
  expect(lines(service, 'request')).toEqual([
    expect.objectContaining({ address: '203.0.113.7', code: 'unauthorized', operationId: 'listLoans' }),
    expect.objectContaining({ address: '127.0.0.1', code: 'invalid_request' }),
  ]);
});

test.each([
  ['203.0.113.7:5678', '203.0.113.7'],
  ['[2001:db8::1]:5678', '2001:db8::1'],
  ['"},{"forged":1', 'unknown'],
  ['lib_key_of_somebody', 'unknown'],
  ['1.2.3', 'unknown'],
])('of X-Forwarded-For %s, the log has %s', async (sent, logged) => {
  const service = await start({ TRUST_PROXY: '127.0.0.1' });
  await service.request('/v1/loans', { headers: { 'x-forwarded-for': sent } });
  await until(() => lines(service, 'request').length === 1);
  expect(lines(service, 'request')[0]).toMatchObject({ address: logged });
});

test.each([
  ['a name that somebody else may own', 'evil.example', 400],
  ['the same with a port', 'evil.example:3000', 400],
  ['a name that looks like an address', '127.0.0.1.evil.example', 400],
  ['a name without a dot', 'evil:3000', 400],
  ['a name after that of this machine', `${hostname()}.evil:3000`, 400],
  ['a name that looks like localhost', 'localhost.evil.example', 400],
  ['localhost with a dot', 'localhost.:9', 400],
  ['a name below localhost', 'evil.localhost', 400],
  ['a name and a user', 'localhost@evil', 400],
  ['an address in brackets', '[127.0.0.1]', 400],
  ['the host of PUBLIC_URL', 'API.library.example', 200],
  ['an address', '127.0.0.1:9', 200],
  ['an IPv6 address', '[::1]:9', 200],
  ['localhost', 'LocalHost:9', 200],
  ['the name of this machine', `${hostname()}:9`, 200],
])('the metrics for %s: Host %s gets %i', async (_, host, status) => {
  const service = await start({ ADMIN_PORT: '0', PUBLIC_URL: 'https://api.library.example' });
  const own = await start({ PUBLIC_URL: 'https://api.library.example' });
  for (const origin of [own.origin, service.opsOrigin ?? '']) {
    const request = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(origin, request)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    // RFC 9112 §3.2.2: the host of the target wins.
    const absolute = `GET http://${host}/metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(origin, absolute)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  }
});

test('logs a request as one line of JSON without its query, whatever its path and id', async () => {
  const service = await start();
  const path = '/v1/","status":200,"x":"\\\'';
  const ids = ['X-Request-Id: a","b":"c', 'Connection: close'];
  await sendRaw(service.origin, `GET ${path}?secret=1 HTTP/1.1\r\nHost: x\r\n${ids.join('\r\n')}\r\n\r\n`);
  await until(() => lines(service, 'request').length === 1);
  expect(lines(service, 'request')[0]).toEqual({
    level: 30,
    time: expect.any(Number) as number,
    requestId: expect.stringMatching(/^[\w-]{36}$/) as string,
    method: 'GET',
    path,
    status: 404,
    code: 'not_found',
    reason: 'There is nothing at this path.',
    address: '127.0.0.1',
    durationMs: expect.any(Number) as number,
    msg: 'request',
  });
});

test('without OpenTelemetry, the log has a valid trace id from the request, and nothing else', async () => {
  const service = await startTestService();
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  for (const sent of [traceparent, `${traceparent}\u00e9`, traceparent.toUpperCase(), 'x'])
    await service.request('/v1/loans', { headers: { traceparent: sent } });
  await service.stop();
  expect(service.logged.flatMap(({ traceId }) => traceId ?? [])).toEqual([trace]);
});

test('does not log successful probes', async () => {
  const service = await start();
  for (const target of ['/healthz', '/readyz', '/metrics', '/docs']) await service.request(target);
  await until(() => lines(service, 'request').length > 0);
  expect(lines(service, 'request').map(({ path }) => path)).toEqual(['/docs']);
});

test('serves health and metrics on a separate port, which client connections cannot fill', async () => {
  const service = await start({ ADMIN_PORT: '0', MAX_CONNECTIONS: '1' });
  const { opsOrigin = '' } = service;
  const sockets = await connectAll(service.origin, 3);
  for (const target of ['/healthz', '/readyz', '/metrics'])
    expect((await fetch(opsOrigin + target)).status).toBe(200);
  for (const target of ['/docs', '/v1/loans']) expect((await fetch(opsOrigin + target)).status).toBe(404);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await service.request('/healthz').catch(() => undefined))?.status === 404);
});

test('names its version in the first line and the metrics, and a probably misspelt variable', async () => {
  const env = { DATABASE_URI: 'postgresql://host/shop' };
  const server = await command.serve({ dataDir: newFolder(), env });
  const { stdout } = server.output;
  expect(stdout).toContain('"DATABASE_URI is not a setting: did you mean DATABASE_URL?"');
  const [first = ''] = stdout.split('\n').filter((line) => line.includes('"version"'));
  const { version, node } = JSON.parse(first) as { version: string; node: string };
  expect([version, node]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/), process.version]);
  const metrics = await (await fetch(`${server.origin}/metrics`)).text();
  expect(metrics).toContain(`\nlibrary_build_info{version="${version}",node="${node}"} 1\n`);
  await server.kill('SIGTERM');
});
