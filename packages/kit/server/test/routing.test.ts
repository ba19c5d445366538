import { expectCommonHeaders } from '@contract-kit/test-support/testing';
import { askRaw } from '../src/testing/raw.ts';
import { sharedService, expectError } from './library/service.ts';

const service = sharedService();

beforeAll(() => service.addLoans([{ id: 1 }]));

const request = (target: string, headers = {}) => service.request(target, { key: service.suiteKey, headers });

/** Requests a target that fetch would normalize. */
async function requestAsIs(target: string): Promise<Response> {
  return askRaw(service.origin, {
    method: 'GET',
    target,
    headers: [['Authorization', `Bearer ${service.suiteKey}`]],
  });
}

test.each([
  // Outside the API.
  ...['/V1/loans', '/unknown', '/Docs', '/healthz/'].map((target) => [target, 404, 'not_found'] as const),
  // Malformed percent-encoding, even where no operation is.
  ...['/v1/%E0%A4%A', '/v1/loans?a=%zz', '/docs/%zz'].map(
    (target) => [target, 400, 'invalid_request'] as const,
  ),
])('%s gets an Error object: %i %s', async (target, status, code) => {
  const response = await request(target);
  expect(response.status).toBe(status);
  expectCommonHeaders(response.headers);
  expect(await response.json()).toMatchObject({ code, status });
});

test('does not resolve dot segments: such a path is not found', async () => {
  for (const target of ['/v1/loans/../loans', '/v1/./loans', '/docs/../v1/loans']) {
    expect((await requestAsIs(target)).status).toBe(404);
  }
});

test('a target in absolute form is served as the path and host in it', async () => {
  const response = await requestAsIs(`${service.origin}/v1/loans`);
  expect(response.status).toBe(200);
  await expectError(await requestAsIs('http://elsewhere.example/v1/nothing'), 'not_found');
  await expectError(await requestAsIs('HTTPS://elsewhere.example/v1/loans?page=2'), 'invalid_request');
  const document = await (await requestAsIs('http://elsewhere.example/openapi.json')).json();
  expect(document).toMatchObject({ servers: [{ url: 'http://elsewhere.example/v1' }, {}] });
});

const PAGES = '/docs /docs.md /llms.txt /openapi.json /openapi.yaml /healthz /readyz /metrics'.split(' ');

test.each(PAGES)('%s is open to everyone, and is not counted', async (target) => {
  const allow = 'GET, HEAD, OPTIONS';
  for (const [method, ...expected] of [
    ['GET', 200, null],
    ['HEAD', 200, null],
    ['POST', 405, allow],
    ['OPTIONS', 204, allow],
  ] as const) {
    const { status, headers } = await service.request(target, { method });
    expect([status, headers.get('allow')]).toEqual(expected);
    expectCommonHeaders(headers);
    expect(headers.has('x-ratelimit-limit')).toBe(false);
  }
});

test('a request id from the client is kept if it is harmless, otherwise replaced', async () => {
  const idOf = async (sent: string) =>
    (await request('/v1/loans', { 'x-request-id': sent })).headers.get('x-request-id');
  expect(await idOf('trace-1.a:b@c+/=_')).toBe('trace-1.a:b@c+/=_');
  for (const sent of ['', 'two words', '<script>', 'é', 'x'.repeat(129)]) {
    expect(await idOf(sent)).toMatch(/^[0-9a-f-]{36}$/);
  }
});
