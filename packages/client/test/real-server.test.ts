import {
  createPetstore,
  RateLimitError,
  type Clock,
  type DeprecationEvent,
  type Order,
  type PetstoreOptions,
} from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { startPetstore, type PetstoreServer } from './petstore-server.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

let server: PetstoreServer;
let apiKey: string;
beforeAll(async () => {
  server = await startPetstore({
    orders: [
      { id: 1, petId: 12, quantity: 1, shipDate: '2026-11-24T09:00:00.000Z', complete: false },
      { id: 2, petId: 7, status: 'shipped', complete: true },
      { id: LARGEST },
    ],
    pets: [{ id: 12, name: 'Rex' }],
  });
  apiKey = server.createKey();
});
afterAll(() => server.stop());

const client = (options: Partial<PetstoreOptions> = {}) =>
  createPetstore({ apiKey, baseUrl: server.baseUrl, ...options });

const settle = (count: number, call: () => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, () => call()));

test('orders are listed, in one piece and as a stream', async () => {
  const petstore = client();
  const orders = await petstore.listOrders();
  expect(orders).toEqual([
    { id: 1, petId: 12, quantity: 1, shipDate: '2026-11-24T09:00:00.000Z', complete: false },
    { id: 2, petId: 7, complete: true },
    { id: LARGEST },
  ]);
  const streamed: Order[] = [];
  for await (const order of streamOrders(petstore)) streamed.push(order);
  expect(streamed).toEqual(orders);
});

test('orders are cancelled, again as well, but not when they have shipped or do not exist', async () => {
  const petstore = client();
  expect(await petstore.cancelOrder({ orderId: 1 })).toBeUndefined();
  expect(await petstore.cancelOrder({ orderId: '1' }).reply()).toMatchObject({ declared: true, status: 204 });
  await expect(petstore.cancelOrder({ orderId: 2n })).rejects.toMatchObject({
    code: 'order_already_shipped',
  });
  await expect(petstore.cancelOrder({ orderId: 4711 })).rejects.toMatchObject({ code: 'order_not_found' });
});

test.each(['9007199254740992', '9007199254740993', '9223372036854775807', '-1'])(
  'the id %s arrives exactly, and touches no other order',
  async (orderId) => {
    await expect(client().cancelOrder({ orderId })).rejects.toMatchObject({
      code: 'order_not_found',
      message: expect.stringContaining(orderId) as unknown,
    });
  },
);

test('a deprecated operation says since when, until when and where, in its errors too', async () => {
  const events: DeprecationEvent[] = [];
  const petstore = client({ onDeprecation: (event) => events.push(event) });
  expect(await petstore.getPet({ petId: 12 })).toEqual({ id: 12, name: 'Rex' });
  await expect(petstore.getPet({ petId: 4711 })).rejects.toMatchObject({ code: 'pet_not_found' });
  const deprecation = {
    operation: 'getPet',
    method: 'GET',
    attempt: 1,
    since: new Date('2026-11-01T00:00:00Z'),
    sunset: new Date('2027-06-30T00:00:00Z'),
    link: expect.stringContaining('</docs#getPet>; rel="deprecation"') as unknown,
  };
  expect(events).toEqual(
    ['12', '4711'].map((id) => ({ ...deprecation, url: `${server.baseUrl}/pets/${id}` })),
  );
});

test('a key that is none is refused, with all that the client knows', async () => {
  const error: unknown = await client({ apiKey: 'pst_none' })
    .listOrders()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    name: 'ApiError',
    operation: 'listOrders',
    status: 401,
    code: 'unauthorized',
    requestId: expect.stringMatching(/./) as unknown,
    rateLimit: { limit: 60, remaining: expect.any(Number) as unknown, reset: expect.any(Number) as unknown },
    attempts: 1,
  });
});

test('one client cannot get its key banned, with the right clock or one that is ten minutes off', async () => {
  await Promise.all([0, -600_000, 600_000].map(persist));
});

async function persist(clockError: number): Promise<void> {
  const clock: Clock = {
    now: () => Date.now() + clockError,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
  const statuses: number[] = [];
  const onResponse = ({ status }: { status: number }) => statuses.push(status);
  const options = { apiKey: server.createKey(), budget: 20_000, onResponse };
  const petstore = client({ ...options, clock });
  const results = await settle(300, () => petstore.listOrders());
  for (let round = 0; round < 5; round++) results.push(...(await settle(100, () => petstore.listOrders())));

  // More than sixty on a machine so slow that the minute ends meanwhile.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(60);
  expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(1);
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    expect(result.reason).toBeInstanceOf(RateLimitError);
    const { code, retryAfter } = result.reason as RateLimitError;
    expect(code).toBe('rate_limit_exceeded');
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(62);
  }
  // Another client of the same key: refused for its quota, not banned, and once.
  statuses.length = 0;
  const other = client(options);
  await settle(100, () => other.listOrders());
  expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(1);
}
