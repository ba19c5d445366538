import { removeTestFolders, startTestService, type TestService } from './support/service.ts';

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
  ]);
});

afterAll(async () => {
  await service.stop();
  removeTestFolders();
});

const cancel = (id: string) => service.request(`/v1/store/orders/${id}`, { method: 'DELETE', key });

async function statusOf(id: number): Promise<string | undefined> {
  for await (const page of service.store.orders.storedPages()) {
    const order = page.find((each) => each.id === id);
    if (order) return order.status;
  }
  return undefined;
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
