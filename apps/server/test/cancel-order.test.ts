import { expectError } from './support/expect.ts';
import { sharedService } from './support/service.ts';
import { storedOrders } from './support/store.ts';

/* What the client's fake has no part in; what is answered to whom is in fake-petstore.test.ts, for both. */

const service = sharedService();

beforeAll(() => service.addOrders([{ id: 1 }, { id: 10 }, { id: 16 }, { id: 1000 }, { id: 2000 }]));

const cancel = (id: string, init: RequestInit = {}) =>
  service.request(`/v1/store/orders/${id}`, { method: 'DELETE', key: service.ownKey, ...init });

const statusOf = async (id: number) =>
  (await storedOrders(service.store.orders)).find((order) => order.id === id)?.status;

test('an order is cancelled, whatever body comes with the request', async () => {
  const response = await cancel('2000', {
    body: '{ this is not JSON',
    headers: { 'content-type': 'application/json' },
  });
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(response.headers.get('content-type')).toBeNull();
  expect(await statusOf(2000)).toBe('cancelled');
});

test('a shipment and forty cancels at once agree on who was first', async () => {
  for (let id = 100; id < 110; id += 1) {
    await service.addOrders([{ id }]);
    const cancels = Array.from({ length: 40 }, () => cancel(String(id)));
    const shipment = service.store.orders.ship(BigInt(id), new Date(service.clock()));
    const statuses = new Set((await Promise.all(cancels)).map((response) => response.status));
    const expected = (await shipment) === 'shipped' ? ['shipped', 409] : ['cancelled', 204];
    expect([await statusOf(id), ...statuses]).toEqual(expected);
  }
});

/** What a parser that is not strict takes for an order that there is: 1, 10, 16 or 1000. */
const LENIENT = '01 %2B1 1.0 1e3 0x10 %201 1%20 %091 1%0A 1%00 1,2 1_000 10n %D9%A1 %EF%BC%91 1%2F2'.split(
  ' ',
);

test('what is no id is refused, and no order is touched', async () => {
  for (const id of [...LENIENT, '%00', '1'.repeat(10_000), '10?force=true'])
    await expectError(await cancel(id), 'invalid_request');
  for (const id of [1, 10, 16, 1000]) expect(await statusOf(id)).toBe('pending');
});
