import type { StoredOrder } from '../src/orders/order-store.ts';
import { expectError } from './support/expect.ts';
import { startTestService, type TestService } from './support/service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  key = await service.key();
  await service.addOrders([
    { id: 1, status: 'pending' },
    { id: 2, status: 'shipped' },
    { id: 3, status: 'cancelled' },
    { id: 4, status: 'pending' },
    { id: 10, status: 'pending' },
    { id: 16, status: 'pending' },
    { id: 1000, status: 'pending' },
    { id: 9_007_199_254_740_991, status: 'pending' },
  ]);
});

const cancel = (id: string) => service.request(`/v1/store/orders/${id}`, { method: 'DELETE', key });

async function allOrders(): Promise<StoredOrder[]> {
  const orders: StoredOrder[] = [];
  for await (const page of service.store.orders.storedBatches()) orders.push(...page);
  return orders;
}

async function statusOf(id: number): Promise<string | undefined> {
  return (await allOrders()).find((order) => order.id === id)?.status;
}

test('a pending order is cancelled: 204 without a body', async () => {
  const response = await cancel('1');
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  expect(response.headers.get('content-type')).toBeNull();
  expect(await statusOf(1)).toBe('cancelled');
});

test('cancelling again changes nothing and is 204 again', async () => {
  expect((await cancel('3')).status).toBe(204);
  expect((await cancel('3')).status).toBe(204);
  expect(await statusOf(3)).toBe('cancelled');
});

test('a shipped order is never cancelled', async () => {
  const response = await cancel('2');
  expect(response.status).toBe(409);
  expect(await response.json()).toEqual({
    code: 'order_already_shipped',
    message: expect.stringContaining('2') as string,
    status: 409,
  });
  expect(await statusOf(2)).toBe('shipped');
});

test('forty cancels at once of one order never disagree', async () => {
  const responses = await Promise.all(Array.from({ length: 40 }, () => cancel('4')));
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([204]));
});

test('a shipment and forty cancels at once agree on who was first', async () => {
  for (let id = 100; id < 120; id += 1) {
    await service.addOrders([{ id }]);
    const cancels = Array.from({ length: 5 }, () => cancel(String(id)));
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

test.each([...LENIENT, '%00', '1'.repeat(10_000)])(
  '%s is refused as an id, and no order is touched',
  async (id) => {
    const before = await allOrders();
    await expectError(await cancel(id), 'invalid_request');
    expect(await allOrders()).toEqual(before);
  },
);

test('an id beyond what a double can tell apart never touches its neighbour', async () => {
  for (const id of ['9007199254740992', '9007199254740993', '9007199254740990']) {
    expect((await cancel(id)).status).toBe(404);
  }
  expect(await statusOf(9_007_199_254_740_991)).toBe('pending');
  expect((await cancel('9007199254740991')).status).toBe(204);
  expect(await statusOf(9_007_199_254_740_991)).toBe('cancelled');
});

test('a query parameter is refused, and the order is not cancelled', async () => {
  await expectError(await cancel('10?force=true'), 'invalid_request');
  expect(await statusOf(10)).toBe('pending');
});

test('any valid key may cancel any order', async () => {
  const other = await service.key('free');
  const response = await service.request('/v1/store/orders/16', { method: 'DELETE', key: other });
  expect(response.status).toBe(204);
});

test('a body that comes with the request changes nothing about it', async () => {
  const response = await service.request('/v1/store/orders/1000', {
    method: 'DELETE',
    key,
    body: '{ this is not JSON',
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(204);
});
