import { expectCommonHeaders, expectError } from './support/expect.ts';
import { askRaw } from './support/raw.ts';
import { sharedService } from './support/service.ts';

/* What the client's fake has no part in; the rest of routing is in fake-petstore.test.ts, for both. */

const service = sharedService();

beforeAll(() => service.addOrders([{ id: 1 }]));

const request = (method: string, target: string) => service.request(target, { method, key: service.ownKey });

/** Requests a target that fetch would normalise. */
async function requestAsIs(target: string): Promise<Response> {
  return askRaw(service.origin, {
    method: 'GET',
    target,
    headers: [['Authorization', `Bearer ${service.ownKey}`]],
  });
}

test.each(['/V1/store/orders', '/unknown', '/Docs', '/healthz/'])(
  'outside the API, there is nothing at %s, and the answer says so as an Error object',
  async (target) => {
    const response = await request('GET', target);
    expect(response.status).toBe(404);
    expectCommonHeaders(response.headers);
    expect(await response.json()).toMatchObject({ code: 'not_found', status: 404 });
  },
);

test.each(['/v1/%E0%A4%A', '/v1/store/orders?a=%zz', '/docs/%zz'])(
  'percent-encoding that is malformed is 400, also where no operation is: %s',
  async (target) => {
    const response = await request('GET', target);
    expectCommonHeaders(response.headers);
    expect(await response.json()).toMatchObject({ code: 'invalid_request', status: 400 });
  },
);

test('path segments are not resolved: what a proxy would call another path is not found', async () => {
  for (const target of ['/v1/store/../store/orders', '/v1/./store/orders', '/docs/../v1/store/orders']) {
    expect((await requestAsIs(target)).status).toBe(404);
  }
});

test('a target in absolute form is served as the path in it', async () => {
  const response = await requestAsIs(`${service.origin}/v1/store/orders`);
  expect(response.status).toBe(200);
  await expectError(await requestAsIs('http://elsewhere.example/v1/nothing'), 'not_found');
  await expectError(await requestAsIs('HTTPS://elsewhere.example/v1/store/orders?page=2'), 'invalid_request');
});

test('OPTIONS * is answered like any other path that is not there', async () => {
  const { status } = await askRaw(service.origin, { method: 'OPTIONS', target: '*', headers: [] });
  expect([204, 404]).toContain(status);
});

test.each([
  '/docs',
  '/docs.md',
  '/llms.txt',
  '/openapi.json',
  '/openapi.yaml',
  '/healthz',
  '/readyz',
  '/metrics',
])('%s is there for everyone, and is not counted', async (target) => {
  const response = await service.request(target);
  expect(response.status).toBe(200);
  expectCommonHeaders(response.headers);
  expect(response.headers.has('x-ratelimit-limit')).toBe(false);
  const refused = await service.request(target, { method: 'POST' });
  expect(refused.status).toBe(405);
  expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  const options = await service.request(target, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  const head = await service.request(target, { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(await head.text()).toBe('');
});

test('everything that the docs page needs is on this host', async () => {
  const html = await (await service.request('/docs')).text();
  const links = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toEqual(expect.arrayContaining(['/openapi.json', '/openapi.yaml', '/docs.md']));
  for (const link of links) {
    const response = await service.request(link);
    expect(response.status).toBe(200);
    expectCommonHeaders(response.headers);
  }
});

test('a request id that the client sent is kept if it is harmless, and replaced if it is not', async () => {
  const idOf = async (sent: string) =>
    (
      await service.request('/v1/pets/1', { key: service.ownKey, headers: { 'x-request-id': sent } })
    ).headers.get('x-request-id');
  expect(await idOf('trace-1.a:b@c+/=_')).toBe('trace-1.a:b@c+/=_');
  for (const sent of ['', 'two words', '<script>', 'é', 'x'.repeat(129)]) {
    expect(await idOf(sent)).toMatch(/^[0-9a-f-]{36}$/);
  }
});
