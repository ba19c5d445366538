import { createPetstore, RateLimitError, type PetstoreError, type PetstoreOptions } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { createFakePetstore, type FakePetstoreOptions } from '@petstore/client/testing';
import { virtualClock } from './virtual-clock.ts';

/* What the fake adds to the service, whose promises apps/server/test/fake-petstore.test.ts holds it to. */

function start(options: FakePetstoreOptions = {}, ofClient: PetstoreOptions = {}) {
  const clock = virtualClock();
  const fake = createFakePetstore({ clock, ...options });
  const petstore = createPetstore({
    apiKey: 'pst_test',
    clock,
    random: () => 0,
    ...ofClient,
    fetch: fake.fetch,
  });
  return { clock, fake, petstore };
}

const listing = (init?: RequestInit): [string, RequestInit] => [
  'https://api.petstore.example/v1/store/orders',
  { headers: { authorization: 'Bearer pst_test' }, ...init },
];

test('its orders show what a call has changed, and may be changed', async () => {
  const { fake, petstore } = start({ orders: [{ id: 1 }, { id: 2 }] });
  await petstore.cancelOrder({ orderId: 1 });
  expect(fake.orders.get(1)).toEqual({ id: 1, status: 'cancelled' });
  fake.orders.set(2, { id: 2, status: 'shipped' });
  await expect(petstore.cancelOrder({ orderId: 2 })).rejects.toMatchObject({ code: 'order_already_shipped' });
  fake.orders.set(3, { id: 3, status: 'pending', petId: 12 });
  expect(await petstore.listOrders()).toEqual([{ id: 1 }, { id: 2 }, { id: 3, petId: 12 }]);
});

test('the orders that it was given stay as they were', async () => {
  const orders = [{ id: 1, status: 'pending' }] as const;
  const { petstore } = start({ orders });
  await petstore.cancelOrder({ orderId: 1 });
  expect(orders).toEqual([{ id: 1, status: 'pending' }]);
});

test('nobody is limited unless there is a plan', async () => {
  const { clock, petstore } = start();
  await Promise.all(Array.from({ length: 1_000 }, () => petstore.listOrders()));
  expect(clock.sleeps).toEqual([]);
});

test('with a plan the client paces itself as it does with the service', async () => {
  const { clock, petstore } = start({ plan: { perMinute: 2, perDay: 100 } });
  for (let count = 0; count < 5; count++) await petstore.listOrders();
  expect(clock.sleeps).toEqual([60_000, 60_000]);
});

test('every key is valid unless they are listed', async () => {
  await expect(start({ keys: ['pst_other'] }).petstore.listOrders()).rejects.toMatchObject({ status: 401 });
  expect(await start({ keys: ['pst_test'] }).petstore.listOrders()).toEqual([]);
});

describe('fail', () => {
  test('lets the next request fail, once, without anything done', async () => {
    const { fake, petstore } = start({ orders: [{ id: 1 }] }, { maxAttempts: 1 });
    fake.fail('service_unavailable');
    await expect(petstore.cancelOrder({ orderId: 1 })).rejects.toMatchObject({
      status: 503,
      code: 'service_unavailable',
      retryAfter: 1,
      rateLimit: { remaining: 1_000_000 },
    });
    expect(fake.orders.get(1)?.status).toBe('pending');
    await petstore.cancelOrder({ orderId: 1 });
  });

  test('lets several requests fail, of one operation, in the order in which it was told', async () => {
    const { fake, petstore } = start({ orders: [{ id: 1 }] }, { maxAttempts: 1 });
    fake.fail(new TypeError('fetch failed'), { times: 2, operation: 'cancelOrder' });
    fake.fail(new Response('<h1>Bad gateway</h1>', { status: 502 }), { operation: 'cancelOrder' });
    expect(await petstore.listOrders()).toHaveLength(1);
    const codes: unknown[] = [];
    for (let count = 0; count < 3; count++)
      codes.push(await petstore.cancelOrder({ orderId: 1 }).catch((error: PetstoreError) => error.code));
    expect(codes).toEqual(['connection_failed', 'connection_failed', 'unexpected_reply']);
    await petstore.cancelOrder({ orderId: 1 });
  });

  test('gives the same response as often as it was told', async () => {
    const { fake } = start();
    fake.fail(new Response('busy', { status: 502 }), { times: 2 });
    for (let count = 0; count < 2; count++)
      expect(await (await fake.fetch(...listing())).text()).toBe('busy');
  });

  test('is overcome by the retries of the client', async () => {
    const { fake, petstore } = start();
    fake.fail('internal_error', { times: 3 });
    expect(await petstore.listOrders().reply()).toMatchObject({ status: 200, attempts: 4 });
  });
});

test('latency is waited for by the clock', async () => {
  const { clock, petstore } = start({ latency: 250 });
  await petstore.listOrders();
  expect(clock.sleeps).toEqual([250]);
});

test('latency beyond the time-out is a TimeoutError, and nothing is done', async () => {
  const fake = createFakePetstore({ latency: 60_000, orders: [{ id: 1 }] });
  const petstore = createPetstore({ apiKey: 'pst_test', fetch: fake.fetch, timeout: 5, maxAttempts: 1 });
  await expect(petstore.cancelOrder({ orderId: 1 })).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(fake.orders.get(1)?.status).toBe('pending');
});

test('a signal that has aborted, or aborts meanwhile, rejects as that of fetch does', async () => {
  const reason = new Error('no more');
  const { fake } = start();
  await expect(fake.fetch(...listing({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
  const slow = createFakePetstore({ latency: 60_000 });
  const controller = new AbortController();
  const response = slow.fetch(...listing({ signal: controller.signal }));
  controller.abort(reason);
  await expect(response).rejects.toBe(reason);
});

test.each([
  ['a text', 'https://petstore.example/v1/pets/1'],
  ['a URL', new URL('https://petstore.example/v1/pets/1')],
  ['a Request', new Request('https://petstore.example/v1/pets/1')],
])('fetch takes %s, and what fetch takes beside it', async (_name, input) => {
  const { fetch } = createFakePetstore({ pets: [{ id: 1 }] });
  const headers = { authorization: 'bearer pst_test' };
  expect((await fetch(input)).status).toBe(401);
  expect(await (await fetch(input, { headers })).json()).toEqual({ id: 1 });
});

test('a request of another realm is taken as it is', async () => {
  const { fetch } = createFakePetstore();
  const real = new Request(...listing());
  const foreign = {
    method: real.method,
    url: real.url,
    headers: real.headers,
    signal: real.signal,
    body: null,
  };
  expect((await fetch(foreign as unknown as Request)).status).toBe(200);
});

test('it serves the client where there is neither Request nor Response, such as in Jest with jsdom', async () => {
  const hidden = { fetch, Request, Response, ReadableStream, TextDecoder };
  const ofSignals = Object.getOwnPropertyDescriptors(AbortSignal.prototype);
  for (const name in hidden) Reflect.deleteProperty(globalThis, name);
  Reflect.deleteProperty(AbortSignal.prototype, 'throwIfAborted');
  try {
    const { fake, petstore } = start({ orders: [{ id: 1 }, { id: 2 }], keys: ['pst_test'] });
    await petstore.cancelOrder({ orderId: 1 });
    expect(fake.orders.get(1)?.status).toBe('cancelled');
    await expect(petstore.cancelOrder({ orderId: 3 })).rejects.toMatchObject({ code: 'order_not_found' });
    expect(await petstore.listOrders().reply()).toMatchObject({
      declared: true,
      body: [{ id: 1 }, { id: 2 }],
    });
    const ids: unknown[] = [];
    for await (const { id } of streamOrders(petstore)) ids.push(id);
    expect(ids).toEqual([1, 2]);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(fake.fetch('https://petstore.example/v1/pets/1', { signal })).rejects.toThrow('enough');
  } finally {
    Object.assign(globalThis, hidden);
    Object.defineProperties(AbortSignal.prototype, ofSignals);
  }
});

test('a body that no operation asked for is let be', async () => {
  const { fake } = start({ orders: [{ id: 1 }] });
  const url = 'https://petstore.example/v1/store/orders/1';
  const { status } = await fake.fetch(url, { ...listing({ method: 'DELETE', body: 'x' })[1] });
  expect(status).toBe(204);
});

test('ten thousand orders are listed, streamed and cancelled', async () => {
  const orders = Array.from({ length: 10_000 }, (_, index) => ({ id: 10_000 - index }));
  const { fake, petstore } = start({ orders });
  expect((await petstore.listOrders())[9_999]).toEqual({ id: 10_000 });
  let last = 0;
  for await (const { id = 0 } of streamOrders(petstore)) expect((last += 1)).toBe(id);
  for (const { id } of orders) await petstore.cancelOrder({ orderId: id });
  expect([...fake.orders.values()].every(({ status }) => status === 'cancelled')).toBe(true);
});

describe('with the timers of Jest', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('calls are answered although time stands still', async () => {
    const fake = createFakePetstore({ orders: [{ id: 1 }] });
    const petstore = createPetstore({ apiKey: 'pst_test', fetch: fake.fetch });
    expect(await petstore.listOrders()).toEqual([{ id: 1 }]);
  });

  test('a quota is renewed when time is advanced', async () => {
    const fake = createFakePetstore({ plan: { perMinute: 1, perDay: 10 } });
    const petstore = createPetstore({ apiKey: 'pst_test', fetch: fake.fetch, budget: 30_000 });
    await petstore.listOrders();
    await expect(petstore.listOrders()).rejects.toBeInstanceOf(RateLimitError);
    // The Date header has whole seconds, and so has the end of the window: up to one more.
    await jest.advanceTimersByTimeAsync(61_000);
    expect(await petstore.listOrders()).toEqual([]);
  });

  test('latency passes when time is advanced', async () => {
    const fake = createFakePetstore({ latency: 1_000 });
    const petstore = createPetstore({ apiKey: 'pst_test', fetch: fake.fetch });
    const call = petstore.listOrders();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await call).toEqual([]);
  });
});

test.each<[string, () => unknown, RegExp]>([
  ['no id', () => start({ orders: [{ petId: 1 } as unknown as { id: number }] }), /undefined is none/],
  ['an id twice', () => start({ pets: [{ id: 1 }, { id: 1 }] }), /1 is none/],
  ['a plan without a quota', () => start({ plan: 'enterprise' as 'free' }), /"enterprise" by its numbers/],
  ['a plan that there is not', () => start({ plan: 'gold' as 'free' }), /"gold" by its numbers/],
  ['a code that there is not', () => start().fake.fail('nonsense' as 'not_found'), /code nonsense/],
])('%s is a mistake', (_name, make, message) => {
  expect(make).toThrow(message);
});
