import type { IncomingHttpHeaders } from 'node:http';
import { createPetstore, InputError, type Int64 } from '@petstore/client';
import { altered } from './altered.ts';
import { serve, type TestServer } from './server.ts';

let server: TestServer;
let headers: IncomingHttpHeaders;
beforeAll(async () => {
  server = await serve((request, response) => {
    headers = request.headers;
    response.writeHead(204).end();
  });
});
afterAll(() => server.close());
beforeEach(() => void server.requests.splice(0));

const client = () => createPetstore({ apiKey: 'pst_test', baseUrl: server.baseUrl });

test.each<[Int64, string]>([
  [0, '0'],
  [-1, '-1'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  [9007199254740993n, '9007199254740993'],
  ['9007199254740993', '9007199254740993'],
  [2n ** 63n - 1n, '9223372036854775807'],
  [-(2n ** 63n), '-9223372036854775808'],
])('the id %p arrives as %s', async (orderId, digits) => {
  await client().cancelOrder({ orderId });
  expect(server.requests).toEqual([`DELETE /v1/store/orders/${digits}`]);
});

test.each<[unknown]>([
  [undefined],
  [null],
  [NaN],
  [1.5],
  [2 ** 53],
  [2n ** 63n],
  [''],
  ['.'],
  ['01'],
  ['-0'],
  ['١'],
  ['9223372036854775808'],
  ['1'.repeat(10_000)],
  [true],
  [[1]],
])('the id %p throws before any request', async (orderId) => {
  const call = client().cancelOrder({ orderId: orderId as Int64 });
  await expect(call).rejects.toBeInstanceOf(InputError);
  await expect(call).rejects.toMatchObject({ code: 'invalid_input', attempts: 0 });
  expect(server.requests).toEqual([]);
});

test('a parameter that is missing or unknown throws before any request', async () => {
  const petstore = client() as unknown as Record<string, (input?: object) => Promise<unknown>>;
  await expect(petstore['cancelOrder']?.()).rejects.toBeInstanceOf(InputError);
  await expect(petstore['listOrders']?.({ page: 2 })).rejects.toThrow('listOrders: page is unknown');
  expect(server.requests).toEqual([]);
});

test.each([1, '1', null, [1], new Map(), new FormData()])(
  'an input that is no plain object throws before any request: %p',
  async (input) => {
    const petstore = client();
    await expect(petstore.cancelOrder(input as never)).rejects.toMatchObject({
      name: 'InputError',
      message: 'cancelOrder: input must be a plain object',
    });
    expect(server.requests).toEqual([]);
  },
);

describe('parameters of the query and of headers, of which no operation has one yet', () => {
  beforeEach(() =>
    Object.assign(altered, {
      query: ['page', 'tag', 'after', 'color'],
      int64: ['orderId', 'after'],
      joined: ['color'],
      nullable: ['page'],
      headers: ['X-Tenant', 'X-Depth'],
    }),
  );
  const cancel = (input: object) => client().cancelOrder({ orderId: 1, ...input });

  test('are sent exactly, one pair for each value or all in one, without what is missing', async () => {
    await cancel({ tag: ['a b', 'c&d'], page: 2, after: [9007199254740993n, '1'] });
    await cancel({ color: ['red', 'a,b'], tag: '' });
    await cancel({ tag: [], color: [], page: undefined });
    await cancel({ page: null });
    expect(server.requests).toEqual([
      'DELETE /v1/store/orders/1?page=2&tag=a%20b&tag=c%26d&after=9007199254740993&after=1',
      'DELETE /v1/store/orders/1?tag=&color=red,a%2Cb',
      'DELETE /v1/store/orders/1',
      'DELETE /v1/store/orders/1?page=',
    ]);
  });

  test('go into headers under the names of the contract', async () => {
    await cancel({ 'X-Tenant': 'a, b', 'X-Depth': 0 });
    expect(headers).toMatchObject({ 'x-tenant': 'a, b', 'x-depth': '0' });
  });

  test.each([
    { page: { size: 1 } },
    { page: NaN },
    { page: 2 ** 53 },
    { tag: [['a']] },
    { tag: null },
    { tag: [undefined] },
    { tag: '\ud800' },
    { tag: Symbol('a') },
    { after: 'x' },
    { after: [1, 1.5] },
    { 'X-Tenant': ' a' },
    { 'X-Tenant': 'a\r\nb: c' },
    { 'X-Tenant': 'ä' },
    { 'X-Tenant': ['a', 'b'] },
    { 'x-tenant': 'a' },
  ])('are refused before any request: %p', async (input) => {
    await expect(cancel(input)).rejects.toBeInstanceOf(InputError);
    expect(server.requests).toEqual([]);
  });
});
