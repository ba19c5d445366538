import { createPetstore, RateLimitError, type PetstoreError, type PetstoreOptions } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { createFakePetstore, type FakePetstoreOptions } from '@petstore/client/testing';
import { examples } from '@petstore/contract';
import { virtualClock } from './virtual-clock.ts';

/* What the fake adds to the service. apps/server/test/fake-petstore.test.ts holds both to the promises they share. */

function start(options: FakePetstoreOptions = {}, ofClient: PetstoreOptions = {}) {
  const clock = virtualClock();
  const fake = createFakePetstore({ clock, ...options });
  const petstore = createPetstore({ apiKey: 'pst_test', clock, ...ofClient, fetch: fake.fetch });
  return { clock, fake, petstore };
}

const orders = 'https://api.petstore.example/v1/store/orders';
const headers = { authorization: 'Bearer pst_test' };

describe('an operation answers with', () => {
  test('the example of the contract, unless the test states an answer', async () => {
    const { petstore } = start();
    expect(await petstore.listOrders()).toEqual(examples.listOrders.body);
    expect(await petstore.cancelOrder({ orderId: 1 }).reply()).toMatchObject({ declared: true, status: 204 });
    const streamed: unknown[] = [];
    for await (const order of streamOrders(petstore)) streamed.push(order);
    expect(streamed).toEqual(examples.listOrders.body);
  });

  test('stated data, an error of the API, a response or a failure of fetch, as often as it is called', async () => {
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
      await expect(petstore.cancelOrder({ orderId: 1 })).rejects.toMatchObject({
        status: 409,
        code: 'order_already_shipped',
      });
      await expect(petstore.getPet({ petId: 1 })).rejects.toMatchObject({ status: 502, attempts: 2 });
    }
    const offline = start({ answers: { listOrders: new TypeError('fetch failed') } }).petstore;
    await expect(offline.listOrders()).rejects.toMatchObject({ code: 'connection_failed', attempts: 4 });
  });

  test('what a function makes of the request', async () => {
    const shipped = new Set(['2']);
    const { petstore } = start({
      answers: {
        cancelOrder: async ({ path: { orderId = '' }, query, request }) => {
          await Promise.resolve();
          expect([query.size, request.method]).toEqual([0, 'DELETE']);
          return shipped.has(orderId) ? 'order_already_shipped' : {};
        },
      },
    });
    expect(await petstore.cancelOrder({ orderId: 1 })).toBeUndefined();
    await expect(petstore.cancelOrder({ orderId: 2 })).rejects.toMatchObject({ status: 409 });
  });
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
  expect(await start({ keys: ['pst_test'] }).petstore.listOrders()).toHaveLength(2);
});

describe('fail', () => {
  test('makes several requests of one operation fail, in the order given, without counting them', async () => {
    const { fake, petstore } = start({ plan: { perMinute: 2, perDay: 2 } }, { maxAttempts: 1 });
    fake.fail(new TypeError('fetch failed'), { times: 2, operation: 'cancelOrder' });
    fake.fail(new Response('<h1>Bad gateway</h1>', { status: 502 }), { operation: 'cancelOrder' });
    fake.fail('service_unavailable', { operation: 'cancelOrder' });
    expect(await petstore.listOrders()).toHaveLength(2);
    const codes: unknown[] = [];
    for (let count = 0; count < 4; count++)
      codes.push(await petstore.cancelOrder({ orderId: 1 }).catch((error: PetstoreError) => error.code));
    expect(codes).toEqual([
      'connection_failed',
      'connection_failed',
      'unexpected_reply',
      'service_unavailable',
    ]);
    expect(await petstore.cancelOrder({ orderId: 1 }).reply()).toMatchObject({ rateLimit: { remaining: 0 } });
  });

  test('gives the same response as often as it was told', async () => {
    const { fake } = start();
    fake.fail(new Response('busy', { status: 502 }), { times: 2 });
    for (let count = 0; count < 2; count++) expect(await (await fake.fetch(orders)).text()).toBe('busy');
  });

  test('is overcome by the retries of the client', async () => {
    const { fake, petstore } = start();
    fake.fail('internal_error', { times: 3 });
    expect(await petstore.listOrders().reply()).toMatchObject({ status: 200, attempts: 4 });
  });
});

test.each([
  ['a text', orders],
  ['a URL', new URL(orders)],
  ['a Request', new Request(orders)],
])('fetch takes %s and its options', async (_name, input) => {
  const { fetch } = createFakePetstore();
  expect((await fetch(input)).status).toBe(401);
  expect((await fetch(input, { headers })).status).toBe(200);
  const reason = new Error('no more');
  await expect(fetch(input, { headers, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

describe('with the timers of Jest', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('a quota is renewed when time is advanced', async () => {
    const fake = createFakePetstore({ plan: { perMinute: 1, perDay: 10 } });
    const petstore = createPetstore({ apiKey: 'pst_test', fetch: fake.fetch, budget: 30_000 });
    await petstore.listOrders();
    await expect(petstore.listOrders()).rejects.toBeInstanceOf(RateLimitError);
    // The Date header has whole seconds, and so has the end of the window: up to one more.
    await jest.advanceTimersByTimeAsync(61_000);
    expect(await petstore.listOrders()).toHaveLength(2);
  });
});

test.each<[string, () => unknown, RegExp]>([
  ['a plan without a quota', () => start({ plan: 'enterprise' as 'free' }), /"enterprise" has no quota/],
  ['a plan that does not exist', () => start({ plan: 'gold' as 'free' }), /"gold" has no quota/],
  ['a code that does not exist', () => start().fake.fail('nonsense' as 'not_found'), /code nonsense/],
])('%s is a mistake', (_name, make, message) => {
  expect(make).toThrow(message);
});
