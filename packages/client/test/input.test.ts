import type { IncomingHttpHeaders } from 'node:http';
import { InputError, type Int64 } from '@petstore/client';
import { altered, client, server, startServer } from './served.ts';

let headers: IncomingHttpHeaders;
beforeEach(() =>
  startServer((request, response) => {
    headers = request.headers;
    response.writeHead(204).end();
  }),
);

const cancel = (input?: unknown) => client().cancelOrder(input as { orderId: Int64 });

test.each<[Int64, string]>([
  [0, '0'],
  [-1, '-1'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  [9007199254740993n, '9007199254740993'],
  ['9007199254740993', '9007199254740993'],
  [2n ** 63n - 1n, '9223372036854775807'],
  [-(2n ** 63n), '-9223372036854775808'],
])('sends the id %p as %s', async (orderId, digits) => {
  await cancel({ orderId });
  expect(server.requests).toEqual([`DELETE /v1/store/orders/${digits}`]);
});

const ids = [undefined, null, NaN, 1.5, 2 ** 53, 2n ** 63n, '', '.', '01', '-0', '١', '1'.repeat(10_000)];

describe.each([
  ['an id', {}, [...ids, true, [1]].map((orderId) => ({ orderId }))],
  ['an input', {}, [undefined, null, 1, '1', [1], new Map(), { orderId: 1, page: 2 }]],
  [
    'a parameter',
    { query: ['page', 'tag', 'after'], int64: ['orderId', 'after'], headers: ['X-Tenant'] },
    [
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
    ].map((input) => ({ orderId: 1, ...input })),
  ],
  [
    'a body',
    { method: 'PUT', body: 'fields', bodyFields: ['name', 'age', 'tags'] },
    [
      { age: 5n },
      { name: undefined },
      { tags: [undefined] },
      { age: NaN },
      { age: 2 ** 53 },
      { nmae: 'Rex' },
    ].map((input) => ({ orderId: 1, ...input })),
  ],
])('%s that cannot be sent exactly', (_what, alterations, inputs) => {
  test.each(inputs.map((input) => [input]))('is refused before any request: %p', async (input) => {
    Object.assign(altered, alterations);
    const error = { name: 'InputError', code: 'invalid_input', attempts: 0 };
    await expect(cancel(input)).rejects.toBeInstanceOf(InputError);
    await expect(cancel(input)).rejects.toMatchObject(error);
    expect(server.requests).toEqual([]);
  });
});

test('names the parameter that cannot be sent', async () => {
  await expect(cancel({ orderId: 1, page: 2 })).rejects.toThrow('cancelOrder: page is unknown');
  await expect(cancel([1])).rejects.toThrow('cancelOrder: input must be a plain object');
});

test('sends query and header parameters exactly, and leaves out missing ones', async () => {
  Object.assign(altered, {
    query: ['page', 'tag', 'after', 'color'],
    int64: ['orderId', 'after'],
    styles: { color: { style: 'form', explode: false } },
    nullable: ['page'],
    headers: ['X-Tenant', 'X-Depth'],
  });
  await cancel({ orderId: 1, tag: ['a b', 'c&d'], page: 2, after: [9007199254740993n, '1'] });
  await cancel({ orderId: 1, color: ['red', 'a,b'], tag: '' });
  await cancel({ orderId: 1, tag: [], color: [], page: undefined });
  await cancel({ orderId: 1, page: null, 'X-Tenant': 'a, b', 'X-Depth': 0 });
  expect(server.requests).toEqual([
    'DELETE /v1/store/orders/1?page=2&tag=a%20b&tag=c%26d&after=9007199254740993&after=1',
    'DELETE /v1/store/orders/1?tag=&color=red,a%2Cb',
    'DELETE /v1/store/orders/1',
    'DELETE /v1/store/orders/1?page=',
  ]);
  expect(headers).toMatchObject({ 'x-tenant': 'a, b', 'x-depth': '0' });
});
