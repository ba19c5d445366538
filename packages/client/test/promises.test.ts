import { createPetstore, InputError, RateLimitError, type Int64 } from '@petstore/client';
import manifest from '../package.json' with { type: 'json' };
import {
  answerAll,
  client,
  refuseAll,
  refuseOnce,
  rejection,
  sendAll,
  server,
  startServer,
  virtualClock,
} from './served.ts';

/* What the specification and the decisions promise of the client. @contract-kit/client tests every other case. */

const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

const reset = virtualClock().now() / 1000;
const date = new Date(virtualClock().now()).toUTCString();

test.each<[string, number, Record<string, string | number>, number]>([
  ['Retry-After after 429', 429, { 'retry-after': 42 }, 42_000],
  ['Retry-After after 503', 503, { 'retry-after': 7 }, 7_000],
  ['X-RateLimit-Reset if there is no Retry-After', 429, { date, 'x-ratelimit-reset': reset + 42 }, 42_000],
])('waits for %s before it sends the request again', async (_name, status, headers, delay) => {
  const clock = virtualClock();
  await refuseOnce(status, { 'x-ratelimit-remaining': 0, 'x-ratelimit-reset': 1, ...headers });
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  expect(await client({ clock }).listOrders()).toEqual([]);
  expect([clock.sleeps, server.requests.length]).toEqual([[delay], 2]);
});

test('waits grow exponentially', async () => {
  const clock = virtualClock();
  await refuseAll(429, 'rate_limit_exceeded', { 'x-ratelimit-reset': 1 });
  jest.spyOn(Math, 'random').mockReturnValue(1);
  await expect(client({ clock, maxAttempts: 5, budget: 600_000 }).listOrders()).rejects.toBeInstanceOf(
    RateLimitError,
  );
  expect(clock.sleeps).toEqual([2000, 3000, 5000, 9000]);
});

test('sends far fewer requests than lead to a ban, even if the server states no limits', async () => {
  const clock = virtualClock();
  const at: number[] = [];
  await startServer((_request, response) => {
    at.push(clock.now());
    response.writeHead(429).end();
  });
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const petstore = client({ clock });
  await Promise.allSettled(Array.from({ length: 500 }, () => petstore.listOrders()));
  for (const time of at)
    expect(
      at.filter((parameter) => parameter >= time && parameter < time + 60_000).length,
    ).toBeLessThanOrEqual(60);
});

test('repeats a cancel whose response was lost', async () => {
  await startServer((request, response, count) =>
    count === 1 ? request.socket.destroy() : response.writeHead(204).end(),
  );
  expect(await client().cancelOrder({ orderId: 1 })).toBeUndefined();
  expect(server.requests).toEqual(Array(2).fill('DELETE /v1/store/orders/1'));
});

test.each<[Int64, string]>([
  [0, '0'],
  [-1, '-1'],
  [9007199254740993n, '9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
])('sends the id %p as %s', async (orderId, digits) => {
  await sendAll('', 204);
  await client().cancelOrder({ orderId });
  expect(server.requests).toEqual([`DELETE /v1/store/orders/${digits}`]);
});

test.each(['01', '+1', '-0', '1.0', 2 ** 53, 2n ** 63n])(
  'refuses the id %p before any request',
  async (orderId) => {
    await sendAll('', 204);
    expect(await rejection(client().cancelOrder({ orderId }))).toBeInstanceOf(InputError);
    expect(server.requests).toEqual([]);
  },
);

test('never rounds an id in a response', async () => {
  await sendAll('[{"id":9007199254740993}]');
  await expect(client().listOrders()).rejects.toMatchObject({ code: 'inexact_integer' });
});

const local = { PETSTORE_BASE_URL: 'http://localhost:1/v1' };

test.each([
  [{}, {}, 'https://api.petstore.example'],
  [{ environment: 'staging' }, {}, 'https://staging.petstore.example'],
  [{ environment: 'local' }, {}, 'http://localhost:3000'],
  [{}, local, 'http://localhost:1'],
] as const)(
  'with the options %j and the variables %j, requests go to %s, with the key and the version of the package',
  async (options, variables, origin) => {
    Object.assign(process.env, { PETSTORE_API_KEY: 'pst_environment', ...variables });
    const fetch = jest.fn(() => Promise.resolve(Response.json([])));
    await createPetstore({ ...options, fetch }).listOrders();
    const headers = {
      authorization: 'Bearer pst_environment',
      'user-agent': `petstore-client/${manifest.version}`,
    };
    expect(fetch.mock.calls).toMatchObject([[`${origin}/v1/store/orders`, { headers }]]);
  },
);

test('an error of the API is thrown with its code', async () => {
  await refuseAll(409, 'order_already_shipped');
  const error = { name: 'ApiError', status: 409, code: 'order_already_shipped' };
  await expect(client().cancelOrder({ orderId: 1 })).rejects.toMatchObject(error);
});

test('a call of a deprecated operation warns once, with its last day', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
  await answerAll({ id: 1 }, { deprecation: '@1793491200', sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' });
  await client().getPet({ petId: 1 });
  await client().getPet({ petId: 2 });
  expect(warn.mock.calls).toEqual([
    ['petstore: getPet is deprecated and goes away at 2027-06-30T00:00:00.000Z'],
  ]);
});
