import express, { type Express } from 'express';
import { expectCommonHeaders, rateLimitIn } from '@contract-kit/test-support/testing';
import { library } from './library/library.ts';
import { sharedService, type TestService } from './library/service.ts';
import { createTestTools } from './support/tools.ts';

const SHOP = 'https://shop.example';

const env = { CORS_ORIGINS: `${SHOP},http://localhost:5173` };
const open = sharedService({ env });
const closed = sharedService();

const preflight = (service: TestService, origin: string) =>
  service.request('/v1/loans/1', {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization',
    },
  });

test('it is off unless origins are configured', async () => {
  const init = { key: closed.suiteKey, headers: { origin: SHOP } };
  for (const { headers } of [await preflight(closed, SHOP), await closed.request('/v1/loans', init)])
    expect([...headers.keys()].join()).not.toContain('access-control-');
});

test('a preflight from a listed origin is allowed, without a key', async () => {
  for (const origin of [SHOP, 'http://localhost:5173']) {
    const { status, headers } = await preflight(open, origin);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
    expect(headers.get('vary')).toContain('Origin');
    // The API needs no credentials of the browser.
    expect(headers.has('access-control-allow-credentials')).toBe(false);
    expectCommonHeaders(headers);
  }
});

test.each([
  ['an operation', '/v1/loans/1', 'DELETE'],
  ['several operations', '/v1/loans', 'GET,HEAD,POST'],
  ['an id that is not valid', '/v1/loans/x', 'DELETE'],
  ['a path that cannot be decoded', '/v1/loans/%zz', 'DELETE'],
  ['no operation', '/v1/nothing', null],
  ['a page', '/openapi.json', 'GET,HEAD'],
  ['the tools for agents', '/mcp', 'POST'],
])('a preflight allows only the methods of the path: %s', async (_what, path, methods) => {
  const headers = { origin: SHOP, 'access-control-request-method': 'PUT' };
  const response = await open.request(path, { method: 'OPTIONS', headers });
  expect(response.headers.get('access-control-allow-methods')).toBe(methods);
});

test('a preflight allows the methods of an own route', async () => {
  const extend = (app: Express) => {
    app.get('/mine', (_req, res) => void res.send('mine'));
    app.post('/mine', (_req, res) => void res.send('mine'));
    app.all('/any', (_req, res) => void res.send('any'));
    app.route('/every').all((_req, res) => void res.send('every'));
    app.use('/files', express.static(import.meta.dirname));
  };
  const service = await createTestTools({ ...library, extend }).startTestService({ env });
  const any = 'GET,HEAD,POST,PUT,PATCH,DELETE,QUERY';
  for (const [path, methods] of [
    ['/mine', 'GET,HEAD,POST'],
    ['/any', any],
    ['/every', any],
    ['/files/index.txt', any],
  ] as const) {
    const headers = { origin: SHOP, 'access-control-request-method': 'PUT' };
    const response = await service.request(path, { method: 'OPTIONS', headers });
    expect([path, response.headers.get('access-control-allow-methods')]).toEqual([path, methods]);
  }
});

test('does not allow an unlisted origin', async () => {
  for (const origin of ['https://shop.example.evil.example', 'null', 'http://shop.example'])
    expect((await preflight(open, origin)).headers.has('access-control-allow-origin')).toBe(false);
});

test('a preflight is not counted, and shows the rate-limit state of the address', async () => {
  const before = rateLimitIn((await preflight(open, SHOP)).headers);
  expect(before.limit).toBe(60);
  expect(rateLimitIn((await preflight(open, SHOP)).headers)).toEqual(before);
});

test('scripts may read the headers that a client needs, in 200, 401 and 429', async () => {
  const spent = await open.key('enterprise', { perMinute: 9, perDay: 1 });
  await open.list(spent);
  for (const key of [open.suiteKey, '', spent]) {
    const response = await open.request('/v1/loans', { key, headers: { origin: SHOP } });
    expect(response.headers.get('access-control-allow-origin')).toBe(SHOP);
    const exposed =
      'Content-Disposition,Date,Deprecation,Link,Retry-After,Sunset,WWW-Authenticate,X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,X-Request-Id';
    expect(response.headers.get('access-control-expose-headers')?.split(',').sort().join()).toBe(exposed);
  }
});

test('OPTIONS that is not a preflight gets the usual response', async () => {
  const response = await open.request('/v1/loans', { method: 'OPTIONS', headers: { origin: SHOP } });
  expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
});
