import { rateLimitIn } from '@contract-kit/test-support/testing';
import { responseTo } from '../src/testing/raw.ts';
import { asked, called, definition } from './support/notes.ts';
import { createTestTools } from './support/tools.ts';

/* Keys in cookies, and pages of other sites, whose requests browsers send with the same cookies. */

const SHOP = 'https://shop.example';
const { startTestService } = createTestTools(definition);
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => void (service = await startTestService({ env: { CORS_ORIGINS: SHOP } })));
beforeEach(() => void ((asked.length = 0), (called.length = 0)));

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  service.request(`/v1${path}`, { method, headers });
const cookie = 'sid=s%3Aada';

test('a cookie carries a token of `authenticate`, or a key of the service', async () => {
  expect([(await call('GET', '/me', { cookie })).status, called, asked]).toEqual([
    200,
    ['ada'],
    ['session s:ada'],
  ]);
  const own = await service.key();
  expect((await call('GET', '/me', { cookie: `theme=dark; sid=${own}; x=1` })).status).toBe(200);
});

test.each([
  ['quoted', 'sid="s%3Aada"', 200],
  ['not encoded', 'sid=s:ada', 200],
  ['among others', 'a=b; xsid=1; sid=s%3Aada;c', 200],
  ['twice, with one value', 'sid=s%3Aada; sid="s:ada"', 200],
  ['twice, with two values', 'sid=s%3Aada; sid=eve', 400],
  ['in other letters', 'SID=s%3Aada', 401],
  ['empty', 'sid=', 401],
  ['without a value', 'sid', 401],
  ['of nobody', 'sid=eve', 401],
  ['with a percent sign alone', 'sid=100%', 401],
  ['expired', 'sid=expired', 401],
])('a cookie %s', async (_what, sent, status) => {
  expect((await call('GET', '/me', { cookie: sent })).status).toBe(status);
});

test('a 401 says which cookie to send, and a 400 which is ambiguous', async () => {
  const none = await call('GET', '/me');
  expect(none.headers.get('www-authenticate')).toBe('ApiKey realm="library", cookie="sid"');
  expect(await none.json()).toMatchObject({
    message: expect.stringContaining('send it as `Cookie: sid=<API_KEY>`') as string,
  });
  const two = await call('GET', '/me', { cookie: 'sid=a; sid=b' });
  expect(await two.json()).toMatchObject({ message: 'The request has more than one cookie sid.' });
});

test('a key in a cookie has its quota, is banned and revoked as any other', async () => {
  const { keys } = service.store;
  const { id, key } = await service.keyWithId('enterprise', { perMinute: 2, perDay: 100 });
  const send = () => call('GET', '/me', { cookie: `sid=${key}` });
  const seen: unknown[] = [];
  for (let index = 0; index < 4; index += 1) {
    const { status, headers } = await send();
    seen.push([status, rateLimitIn(headers).remaining, headers.get('retry-after')]);
  }
  expect(seen).toEqual([
    [200, 1, null],
    [200, 0, null],
    [429, 0, '60'],
    [429, 0, '900'],
  ]);
  await keys.unban(id);
  service.clock.advance(60_000);
  const valid = await send();
  expect([valid.status, valid.headers.get('cache-control')]).toEqual([200, 'no-store']);
  await keys.revoke(id, new Date(service.clock()));
  service.clock.advance(5_000);
  expect((await send()).status).toBe(401);
});

test('a repeated request with an idempotency key is handled once, and is not bound to a page of another site', async () => {
  const key = { cookie, 'idempotency-key': '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a' };
  const pay = (headers = {}) => call('POST', '/payments', { ...key, ...headers });
  const refused = await pay({ 'sec-fetch-site': 'cross-site' });
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([403, 'no-store']);
  expect([(await pay()).status, (await pay()).status, called]).toEqual([200, 200, ['ada']]);
  expect((await pay({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

test('what is refused to pages of other sites uses up no quota of their readers', async () => {
  const key = { cookie: `sid=${await service.key('free')}` };
  const refused = await call('POST', '/notes', { ...key, 'sec-fetch-site': 'cross-site' });
  expect([refused.status, rateLimitIn(refused.headers).limit, asked]).toEqual([403, 60, []]);
  expect(rateLimitIn((await call('GET', '/me', key)).headers).remaining).toBe(59);
});

test('header or cookie, and header and cookie', async () => {
  const token = { 'x-token': 's:ada' };
  const bad = { cookie: 'sid=old' };
  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await call('POST', path, headers)).status;
  expect(await statusOf('/either', token)).toBe(200);
  expect(await statusOf('/either', { cookie })).toBe(200);
  expect(await statusOf('/either', { ...token, ...bad })).toBe(200);
  expect(await statusOf('/both', { ...token, cookie })).toBe(200);
  expect(await statusOf('/both', token)).toBe(401);
  expect(await statusOf('/both', { cookie })).toBe(401);
  expect(await statusOf('/both', { ...token, cookie: `sid=${await service.key()}` })).toBe(400);
});

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];

test.each([
  ['no browser', {}, 200],
  ['a page of this service', { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:1' }, 200],
  ['the reader', { 'sec-fetch-site': 'none' }, 200],
  ['a page of the same site', { 'sec-fetch-site': 'same-site' }, 403],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a page of another site, by Origin', { origin: 'https://evil.example' }, 403],
  ['a page without an origin', { origin: 'null' }, 403],
  ['a page without an origin, by both', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
  ['a listed page', { origin: SHOP, 'sec-fetch-site': 'cross-site' }, 200],
  ['a listed page of the same site', { origin: SHOP, 'sec-fetch-site': 'same-site' }, 200],
  ['a listed page in an old browser', { origin: SHOP }, 200],
  ['a listed page, written otherwise', { origin: 'HTTPS://SHOP.example:443' }, 200],
  ['a page like a listed one', { origin: `${SHOP}.evil.example` }, 403],
  ['a listed page over http', { origin: 'http://shop.example' }, 403],
  ['two origins', { origin: `${SHOP}, https://evil.example` }, 403],
  ['two sites', { 'sec-fetch-site': 'same-origin, cross-site' }, 403],
  ['an unknown site', { 'sec-fetch-site': 'near' }, 403],
  ['a site in other letters', { 'sec-fetch-site': 'Same-Origin' }, 403],
  ['a listed page with a path', { origin: `${SHOP}/`, 'sec-fetch-site': 'cross-site' }, 403],
  ['a listed page with a path and another', { origin: `${SHOP}/,https://evil.example` }, 403],
  ['a listed page with a name before it', { origin: SHOP.replace('//', '//evil@') }, 403],
  ['a listed page with a dot at its end', { origin: `${SHOP}.` }, 403],
  ['an empty site', { 'sec-fetch-site': '', origin: 'https://evil.example' }, 403],
])(
  'whatever changes something is only for the own pages and listed ones: %s',
  async (_who, headers, status) => {
    for (const method of METHODS)
      expect([method, (await call(method, '/notes', { cookie, ...headers })).status]).toEqual([
        method,
        status,
      ]);
    // Links lead there, and pages of other sites cannot read what they get.
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect([method, (await call(method, '/me', { cookie, ...headers })).status]).toEqual([method, 200]);
  },
);

test('so is a login, which needs no key and no cookie', async () => {
  expect((await call('POST', '/login', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const allowed = await call('POST', '/login', { 'sec-fetch-site': 'cross-site', origin: SHOP });
  expect([allowed.status, allowed.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('sid=')]);
});

test('a refused request reaches no handler, and learns why', async () => {
  const response = await call('POST', '/notes', { cookie, 'sec-fetch-site': 'cross-site' });
  expect(await response.json()).toMatchObject({
    code: 'cross_origin_request',
    status: 403,
    message: expect.stringContaining('CORS_ORIGINS') as string,
  });
  expect(called).toEqual([]);
});

test('an old browser is of this service by its Host, over TLS too, or by PUBLIC_URL', async () => {
  const { host } = new URL(service.origin);
  for (const origin of [`http://${host}`, `https://${host}`])
    expect([origin, (await call('POST', '/notes', { cookie, origin })).status]).toEqual([origin, 200]);
  expect((await call('POST', '/notes', { cookie, origin: 'http://127.0.0.1' })).status).toBe(403);
  for (const host of ['[::1]:8080', 'notes.example', 'notes.example:80', 'notes.example.']) {
    const head = `POST /v1/notes HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nConnection: close\r\n`;
    const statusFrom = async (origin: string) =>
      (await responseTo(service.origin, `${head}Origin: ${origin}\r\nContent-Length: 0\r\n\r\n`)).status;
    expect([host, await statusFrom(`http://${host}`), await statusFrom('http://[::2]:8080')]).toEqual([
      host,
      200,
      403,
    ]);
  }
  const pretended = { cookie, origin: 'https://own.example', 'x-forwarded-host': 'own.example' };
  expect((await call('POST', '/notes', pretended)).status).toBe(403);
  const proxied = await startTestService({
    env: { PUBLIC_URL: 'https://notes.example', TRUST_PROXY: '127.0.0.1' },
  });
  const send = (headers: Record<string, string>) =>
    proxied.request('/v1/notes', { method: 'POST', headers: { cookie, ...headers } });
  expect((await send({ origin: 'https://notes.example' })).status).toBe(200);
  const own = { 'x-forwarded-host': 'own.example', 'x-forwarded-proto': 'https' };
  expect((await send({ ...own, origin: 'https://own.example' })).status).toBe(200);
  expect((await send({ ...own, origin: 'http://own.example' })).status).toBe(403);
});

test('listed origins may send cookies, to the operations that take one', async () => {
  const may = async (method: string, path: string, origin: string, asked?: string) => {
    const headers = { cookie, origin, ...(asked && { 'access-control-request-method': asked }) };
    return (await call(method, path, headers)).headers.get('access-control-allow-credentials');
  };
  for (const [method, path] of [
    ['GET', '/me'],
    ['POST', '/notes'],
    ['POST', '/login'],
    ['POST', '/either'],
  ] as const) {
    expect([path, await may(method, path, SHOP), await may('OPTIONS', path, SHOP, method)]).toEqual([
      path,
      'true',
      'true',
    ]);
    expect([path, await may(method, path, 'https://evil.example')]).toEqual([path, null]);
    expect([path, await may('OPTIONS', path, 'https://evil.example', method)]).toEqual([path, null]);
  }
  expect([await may('POST', '/header', SHOP), await may('OPTIONS', '/header', SHOP, 'POST')]).toEqual([
    null,
    null,
  ]);
});

test('a star is no list', async () => {
  await expect(startTestService({ env: { CORS_ORIGINS: '*' } })).rejects.toThrow('CORS_ORIGINS');
});

test('the published document says so, and only where it may happen', async () => {
  const { paths, components } = (await (await service.request('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, { $ref: string }> }>>;
    components: { responses: Record<string, object> };
  };
  expect(paths['/login']?.['post']?.responses['403']).toEqual({ $ref: '#/components/responses/Forbidden' });
  expect(components.responses['Forbidden']).toMatchObject({ 'x-error-codes': ['cross_origin_request'] });
  expect(paths['/me']?.['get']?.responses).not.toHaveProperty('403');
});

test('the tools for agents pass on a key in a cookie', async () => {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'postNote', arguments: {} },
  };
  const response = await service.request('/mcp', {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.not.stringContaining('isError')]);
  expect(called).toEqual(['ada']);
});
