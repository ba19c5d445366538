import { createPetstore, RateLimitError, type PetstoreOptions } from '@petstore/client';
import { createFakePetstore, type FakePetstoreOptions } from '@petstore/client/testing';
import { examples } from '@petstore/contract';
import { rejection, virtualClock } from './served.ts';

/* Features of the fake alone. apps/end-to-end/test/fake-petstore.test.ts tests what it shares with the service. */

function start(options: FakePetstoreOptions = {}, ofClient: PetstoreOptions = {}) {
  const clock = virtualClock();
  const fake = createFakePetstore({ clock, ...options });
  const petstore = createPetstore({ apiKey: 'pst_test', clock, ...ofClient, fetch: fake.fetch });
  return { clock, fake, petstore };
}

const orders = 'https://api.petstore.example/v1/store/orders';
const headers = { authorization: 'Bearer pst_test' };

describe('an operation responds with', () => {
  test('the example of the contract, to any key and without limits', async () => {
    const { clock, petstore } = start();
    for (let count = 0; count < 100; count++)
      expect(await petstore.listOrders()).toEqual(examples.listOrders?.body);
    expect(await petstore.cancelOrder({ orderId: 1 }).reply()).toMatchObject({ status: 204 });
    expect(clock.sleeps).toEqual([]);
  });

  test('the given data, API error, response or fetch failure, at each call', async () => {
    const { petstore } = start(
      {
        answers: {
          listOrders: { body: [{ id: 7 }], headers: { 'X-Other': 'one' } },
          cancelOrder: 'order_already_shipped',
          getPet: new Response('<h1>Busy</h1>', { status: 502 }),
        },
      },
      { maxAttempts: 2 },
    );
    for (let count = 0; count < 2; count++) {
      const reply = await petstore.listOrders().reply();
      expect([reply.body, reply.rawHeaders.get('x-other')]).toEqual([[{ id: 7 }], 'one']);
      const refusal = { status: 409, code: 'order_already_shipped' };
      await expect(petstore.cancelOrder({ orderId: 1 })).rejects.toMatchObject(refusal);
      await expect(petstore.getPet({ petId: 1 })).rejects.toMatchObject({ status: 502, attempts: 2 });
    }
    const offline = start({ answers: { listOrders: new TypeError('fetch failed') } }).petstore;
    await expect(offline.listOrders()).rejects.toMatchObject({ code: 'connection_failed', attempts: 4 });
  });

  test('the result of a function of the request', async () => {
    const { petstore } = start({
      answers: {
        cancelOrder: async ({ path, query, request }) => {
          await Promise.resolve();
          expect([query.size, request.method]).toEqual([0, 'DELETE']);
          return path['orderId'] === '2' ? 'order_already_shipped' : {};
        },
      },
    });
    expect(await petstore.cancelOrder({ orderId: 1 })).toBeUndefined();
    await expect(petstore.cancelOrder({ orderId: 2 })).rejects.toMatchObject({ status: 409 });
  });
});

test('fail makes requests of one operation fail, in the order given, without counting them', async () => {
  const { fake, petstore } = start({ plan: { perMinute: 2, perDay: 2 } }, { maxAttempts: 1 });
  fake.fail(new TypeError('fetch failed'), { operation: 'cancelOrder' });
  fake.fail(new Response('<h1>Bad gateway</h1>', { status: 502 }), { times: 2, operation: 'cancelOrder' });
  fake.fail('service_unavailable', { operation: 'cancelOrder' });
  expect(await petstore.listOrders()).toHaveLength(2);
  for (const code of ['connection_failed', 'unexpected_reply', 'unexpected_reply', 'service_unavailable'])
    expect(await rejection(petstore.cancelOrder({ orderId: 1 }))).toMatchObject({ code });
  expect(await petstore.cancelOrder({ orderId: 1 }).reply()).toMatchObject({ rateLimit: { remaining: 0 } });
});

test.each([orders, new URL(orders), new Request(orders)])('fetch takes %p and its options', async (input) => {
  const { fetch } = createFakePetstore();
  expect((await fetch(input)).status).toBe(401);
  expect((await fetch(input, { headers })).status).toBe(200);
  const reason = new Error('no more');
  await expect(fetch(input, { headers, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('fake timers renew a quota', async () => {
  jest.useFakeTimers();
  const fake = createFakePetstore({ plan: { perMinute: 1, perDay: 10 } });
  const petstore = createPetstore({ apiKey: 'pst_test', fetch: fake.fetch, budget: 30_000 });
  await petstore.listOrders();
  await expect(petstore.listOrders()).rejects.toBeInstanceOf(RateLimitError);
  // The Date header and the end of the window are in whole seconds: up to one more.
  await jest.advanceTimersByTimeAsync(61_000);
  expect(await petstore.listOrders()).toHaveLength(2);
  jest.useRealTimers();
});

test.each<[string, () => unknown, RegExp]>([
  ['a plan without a quota', () => start({ plan: 'enterprise' as 'free' }), /"enterprise" has no quota/],
  ['an unknown plan', () => start({ plan: 'gold' as 'free' }), /"gold" has no quota/],
  ['an unknown code', () => start().fake.fail('nonsense' as 'not_found'), /code nonsense/],
])('refuses %s', (_name, make, message) => {
  expect(make).toThrow(message);
});
