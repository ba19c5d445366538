import { createPetstore, InputError, type Int64 } from '@petstore/client';
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
