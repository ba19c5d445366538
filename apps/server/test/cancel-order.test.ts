import { expectError } from './support/expect.ts';
import { sharedService } from './support/service.ts';

/* What operations.test.ts does not try: other bodies, and ids that a lenient parser takes. */

const service = sharedService();

beforeAll(() => service.addOrders([{ id: 1 }, { id: 10 }, { id: 16 }, { id: 1000 }, { id: 2000 }]));

test('an order is cancelled, whatever body comes with the request', async () => {
  const response = await service.request('/v1/store/orders/2000', {
    method: 'DELETE',
    key: service.ownKey,
    body: '{ this is not JSON',
    headers: { 'content-type': 'application/json' },
  });
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(response.headers.get('content-type')).toBeNull();
  expect(await service.statusOf(2000)).toBe('cancelled');
});

/** What a parser that is not strict takes for an order that there is: 1, 10, 16 or 1000. */
const LENIENT = '01 %2B1 1.0 1e3 0x10 %201 1%20 %091 1%0A 1%00 1,2 1_000 10n %D9%A1 %EF%BC%91 1%2F2'.split(
  ' ',
);

test('what is no id is refused, and no order is touched', async () => {
  for (const id of [...LENIENT, '%00', '1'.repeat(10_000), '10?force=true'])
    await expectError(await service.cancel(id, service.ownKey), 'invalid_request');
  for (const id of [1, 10, 16, 1000]) expect(await service.statusOf(id)).toBe('pending');
});
