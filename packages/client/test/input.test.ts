import { createPetstore, InputError, type Int64 } from '@petstore/client';
import { operations, type Operation } from '@petstore/contract';
import { serve, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await serve((_request, response) => response.writeHead(204).end());
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
  [Infinity],
  [1.5],
  [2 ** 53],
  [2n ** 63n],
  [-(2n ** 63n) - 1n],
  [''],
  ['.'],
  ['..'],
  ['../pets/1'],
  ['01'],
  ['+1'],
  ['-0'],
  ['1.0'],
  ['1e3'],
  ['0x10'],
  [' 1'],
  ['1\n'],
  ['١'],
  ['9223372036854775808'],
  ['1'.repeat(10_000)],
  [true],
  [{}],
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

describe('the query, of which no operation has one yet', () => {
  const call: { -readonly [Part in keyof Operation]: Operation[Part] } = operations.cancelOrder;
  beforeEach(() => Object.assign(call, { query: ['page', 'tag', 'after'], int64: ['orderId', 'after'] }));
  afterEach(() => {
    delete call.query;
    call.int64 = ['orderId'];
  });
  const cancel = (query: object) => client().cancelOrder({ orderId: 1, ...query });

  test('is sent exactly, one pair for each value, without what is missing', async () => {
    await cancel({ tag: ['a b', 'c&d'], page: 2, after: 9007199254740993n });
    await cancel({ tag: [], page: undefined });
    expect(server.requests).toEqual([
      'DELETE /v1/store/orders/1?page=2&tag=a%20b&tag=c%26d&after=9007199254740993',
      'DELETE /v1/store/orders/1',
    ]);
  });

  test.each([{ page: { size: 1 } }, { tag: [['a']] }, { page: NaN }, { page: 2 ** 53 }, { after: 'x' }])(
    'is refused before any request: %p',
    async (query) => {
      await expect(cancel(query)).rejects.toBeInstanceOf(InputError);
      expect(server.requests).toEqual([]);
    },
  );
});
