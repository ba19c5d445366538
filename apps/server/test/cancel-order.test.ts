import { sharedService } from './support/service.ts';
import { expectError } from './support/petstore.ts';

const LARGEST = '9223372036854775807';
const PENDING = [1, 10, 16, 1000];

const service = sharedService();

beforeAll(() =>
  service.addOrders([
    { id: 2, status: 'shipped' },
    { id: 4, status: 'cancelled' },
    ...PENDING.map((id) => ({ id })),
    { id: Number.MAX_SAFE_INTEGER },
  ]),
);

/** Texts that a lenient parser reads as 1, 10, 16 or 1000. */
const LENIENT = '01 %2B1 1.0 1e3 0x10 %201 1%20 %091 1%0A 1%00 1,2 1_000 10n %D9%A1 %EF%BC%91 1%2F2'.split(
  ' ',
);

test('an id that is not canonical is rejected, and no order is cancelled', async () => {
  for (const id of [...LENIENT, '-0', '%00', '%zz', '1'.repeat(10_000), '10?force=true'])
    await expectError(await service.cancel(id, service.ownKey), 'invalid_request');
  for (const id of PENDING) expect(await service.statusOf(id)).toBe('pending');
});

test.each([
  [204, ['1', '1', '4', '9007199254740991']],
  [404, ['4711', '0', '-1', '9007199254740992', '9007199254740993', LARGEST, `-${LARGEST.slice(0, -1)}8`]],
  [409, ['2']],
])('responds with %i to the ids %j', async (status, ids) => {
  for (const id of ids) {
    const response = await service.cancel(id, service.ownKey);
    if (status === 204) expect([response.status, await response.text()]).toEqual([204, '']);
    else await expectError(response, status === 404 ? 'order_not_found' : 'order_already_shipped');
  }
});

test('an order is cancelled whatever body comes with the request', async () => {
  const response = await service.request('/v1/store/orders/10', {
    method: 'DELETE',
    key: service.ownKey,
    body: '{ this is not JSON',
    headers: { 'content-type': 'application/json' },
  });
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(response.headers.get('content-type')).toBeNull();
  expect(await service.statusOf(10)).toBe('cancelled');
});
