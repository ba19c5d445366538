import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contract, operationIds } from '@petstore/contract';
import { createFuzzer } from '@contract-kit/testing/fuzzer';
import { rateLimitIn } from '@contract-kit/test-support/testing';
import { parse } from 'yaml';
import { expectError } from './support/petstore.ts';
import { sharedService } from './support/service.ts';
import { root } from './support/workspace.ts';

/* The operations over HTTP. fake-petstore.test.ts and error-examples.test.ts test the headers and the messages. */

const FIRST = { id: 1, petId: 12, quantity: 1, shipDate: '2026-11-24T09:00:00.000Z', complete: false };
const LARGEST = '9223372036854775807';
const PENDING = [1, 10, 16, 1000];
const UNFULFILLED = PENDING.slice(1).map((id) => ({ id }));

type Document = Readonly<Record<'info' | 'tags' | 'paths', object>> & {
  readonly components: { readonly schemas: object };
};

const service = sharedService();

beforeAll(async () => {
  await service.addOrders([
    { id: 4, status: 'cancelled' },
    { id: 2, petId: 7, complete: true, status: 'shipped' },
    { ...FIRST, status: 'pending' },
    ...UNFULFILLED,
    { id: Number.MAX_SAFE_INTEGER },
  ]);
  await service.addPets([{ id: 12, name: 'Rex' }, { id: 13 }]);
});

/** A request, and its response: the code of an error, or another body. */
type Row = [method: string, path: string, status: number, body?: unknown];

test.each<Row>([
  // The whole list, by id: no order shows its status.
  [
    'GET',
    '/v1/store/orders',
    200,
    [FIRST, { id: 2, petId: 7, complete: true }, { id: 4 }, ...UNFULFILLED, { id: Number.MAX_SAFE_INTEGER }],
  ],
  ['OPTIONS', '/v1/store/orders/%zz', 400, 'invalid_request'],
  ['GET', '/v1/pets/12', 200, { id: 12, name: 'Rex' }],
  ['GET', '/v1/pets/13', 200, { id: 13 }],
  ...['14', '0', '-1', LARGEST].map((id): Row => ['GET', `/v1/pets/${id}`, 404, 'pet_not_found']),
  ['GET', '/v1/pets/x', 400, 'invalid_request'],
  ...['/v1//store/orders', '/v1/store%2Forders', '/v1/unknown?page=2', '/v1x'].map((path): Row => [
    'GET',
    path,
    404,
    'not_found',
  ]),
])('%s %s responds with %i', async (method, path, status, ...[expected]) => {
  const response = await service.request(path, { method, key: service.suiteKey });
  const text = await response.text();
  const body = text === '' ? undefined : (JSON.parse(text) as unknown);
  expect(response.status).toBe(status);
  if (status >= 400) expect(body).toMatchObject({ code: expected, status });
  else expect(body).toEqual(expected);
});

test('the published contract names and describes everything as openapi.yaml does', async () => {
  const { info, tags, paths, components } = parse(
    readFileSync(path.join(root, 'openapi.yaml'), 'utf8'),
  ) as Document;
  const served = (await (await service.request('/openapi.json')).json()) as Document;
  expect(Object.keys(components.schemas)).toContain('Error');
  expect(Object.keys(served.components.schemas)).toEqual(Object.keys(components.schemas));
  expect(served).toMatchObject({ info, tags, paths, components: { schemas: components.schemas } });
});

test('the docs page has a panel to try each operation but listOrders, and the sunset of getPet', async () => {
  const [, ...articles] = (await (await service.request('/docs')).text()).split('<article id="');
  const articlesWith = (text: string) =>
    articles.filter((article) => article.includes(text)).map((article) => article.split('"')[0]);
  const ids = operationIds.filter((id) => id !== 'listOrders');
  expect(articlesWith('<summary>Try it</summary>').sort()).toEqual(ids.sort());
  expect(articlesWith('sunset 2027-06-30')).toEqual(['getPet']);
});

/** Texts that a lenient parser reads as 1, 10, 16 or 1000. */
const LENIENT = '01 %2B1 1.0 1e3 0x10 %201 1%20 %091 1%0A 1%00 1,2 1_000 10n %D9%A1 %EF%BC%91 1%2F2'.split(
  ' ',
);

test('an id that is not canonical is rejected, and no order is cancelled', async () => {
  for (const id of [...LENIENT, '-0', '%00', '%zz', '1'.repeat(10_000), '10?force=true'])
    await expectError(await service.cancel(id, service.suiteKey), 'invalid_request');
  for (const id of PENDING) expect(await service.statusOf(id)).toBe('pending');
});

test.each([
  [204, ['1', '1', '4', '9007199254740991']],
  [404, ['4711', '0', '-1', '9007199254740992', '9007199254740993', LARGEST, `-${LARGEST.slice(0, -1)}8`]],
  [409, ['2']],
])('a cancel responds with %i to the ids %j', async (status, ids) => {
  for (const id of ids) {
    const response = await service.cancel(id, service.suiteKey);
    if (status === 204) expect([response.status, await response.text()]).toEqual([204, '']);
    else await expectError(response, status === 404 ? 'order_not_found' : 'order_already_shipped');
  }
});

test('no operation that requires a key can be used without one', async () => {
  const secured = createFuzzer(contract).operations.filter((operation) => operation.secured);
  expect(secured.map(({ id }) => id)).toEqual(expect.arrayContaining(['listOrders', 'cancelOrder']));
  for (const { method, path } of secured)
    await expectError(await service.request(path.replaceAll(/\{\w+\}/g, '10'), { method }), 'unauthorized');
  expect(await service.statusOf(10)).toBe('pending');
});

test('the requests count that the contract says', async () => {
  const { info } = parse(readFileSync(path.join(root, 'openapi.yaml'), 'utf8')) as Document & {
    readonly info: { readonly description: string };
  };
  expect(info.description.replaceAll(/\s+/g, ' ')).toContain(
    'Every request under `/v1` counts, also one that fails. Only these do not: `OPTIONS`, a request that is rejected with `429`,',
  );
  const key = await service.key('free');
  let left = 60;
  for (const [method, target, status, counts] of [
    ['GET', '/v1/store/orders', 200, 1],
    ['DELETE', '/v1/store/orders/2', 409, 1],
    ['DELETE', '/v1/store/orders/x', 400, 1],
    ['PUT', '/v1/store/orders', 405, 1],
    ['GET', '/v1/nothing', 404, 1],
    ['OPTIONS', '/v1/store/orders', 204, 0],
    ['GET', '/v1/store/orders', 200, 1],
  ] as const) {
    const response = await service.request(target, { method, key });
    left -= counts;
    const { remaining } = rateLimitIn(response.headers);
    expect([method, target, response.status, remaining]).toEqual([method, target, status, left]);
  }
});

test('an order is cancelled whatever body comes with the request', async () => {
  const response = await service.request('/v1/store/orders/10', {
    method: 'DELETE',
    key: service.suiteKey,
    body: '{ this is not JSON',
    headers: { 'content-type': 'application/json' },
  });
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(response.headers.get('content-type')).toBeNull();
  expect(await service.statusOf(10)).toBe('cancelled');
});
