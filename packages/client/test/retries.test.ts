import { getEventListeners } from 'node:events';
import { ConnectionError, RateLimitError, TimeoutError, type PetstoreOptions } from '@petstore/client';
import { json, refuse } from './server.ts';
import { after, client, refuseAll, rejection, server, startServer } from './served.ts';
import { virtualClock } from './virtual-clock.ts';

test.each([408, 500, 502, 503, 504])('an answer with status %d is tried again', async (status) => {
  await startServer(after(status, status));
  expect(await client().listOrders().reply()).toMatchObject({ status: 200, attempts: 3 });
});

test.each([400, 401, 404, 409, 418, 501])('an answer with status %d is final', async (status) => {
  await startServer(after(status));
  await expect(client().listOrders()).rejects.toMatchObject({ status, attempts: 1 });
  expect(server.requests).toHaveLength(1);
});

test('four attempts are made by default, and as many as is said otherwise', async () => {
  await refuseAll(500, 'internal_error');
  const petstore = client();
  await expect(petstore.listOrders()).rejects.toMatchObject({ code: 'internal_error', attempts: 4 });
  await expect(petstore.listOrders({}, { maxAttempts: 1 })).rejects.toMatchObject({ attempts: 1 });
  expect(server.requests).toHaveLength(5);
});

test.each([
  [1, 8, [500, 1000, 2000, 4000, 8000, 8000, 8000]],
  [0, 3, [0, 0]],
])('the waits grow exponentially, with full jitter: %d', async (random, maxAttempts, sleeps) => {
  await refuseAll(500, 'internal_error');
  const clock = virtualClock();
  jest.spyOn(Math, 'random').mockReturnValue(random);
  await rejection(client({ clock, maxAttempts }).listOrders());
  expect(clock.sleeps).toEqual(sleeps);
});

afterEach(() => jest.restoreAllMocks());

const now = virtualClock().now();
const date = new Date(now).toUTCString();

test.each<[string, number, Record<string, string | number>, number]>([
  ['Retry-After, however soon the backoff ends', 503, { 'retry-after': 7 }, 7000],
  ['X-RateLimit-Reset where that is missing', 429, { date, 'x-ratelimit-reset': now / 1000 + 42 }, 42_000],
  ['an HTTP-date', 503, { date, 'retry-after': 'Tue, 24 Nov 2026 09:00:30 GMT' }, 30_000],
  ['one of RFC 850', 503, { date, 'retry-after': 'Tuesday, 24-Nov-26 09:00:30 GMT' }, 30_000],
  ['one of asctime', 503, { date, 'retry-after': 'Tue Nov 24 09:00:30 2026' }, 30_000],
])('%s is waited for', async (_name, status, headers, delay) => {
  const clock = virtualClock();
  await startServer((_request, response, count) =>
    count === 1 ? refuse(response, status, 'whatever', headers) : json(response, 200, []),
  );
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  await client({ clock }).listOrders();
  expect(clock.sleeps).toEqual([delay]);
});

test('of two Retry-After, such as that of a proxy and that of the API, the longer counts', async () => {
  await startServer((_request, response) =>
    response.writeHead(429, ['Retry-After', '1', 'Retry-After', '3600']).end(),
  );
  await expect(client().listOrders()).rejects.toMatchObject({ retryAfter: 3600, attempts: 1 });
  expect(server.requests).toHaveLength(1);
});

test('a wait that would end after the budget is not begun', async () => {
  const clock = virtualClock();
  await refuseAll(503, 'service_unavailable', { 'retry-after': 60 });
  await expect(client({ clock, budget: 59_000 }).listOrders()).rejects.toMatchObject({
    status: 503,
    retryAfter: 60,
    attempts: 1,
  });
  expect(clock.sleeps).toEqual([]);
});

test.each([
  ['no Retry-After', {}],
  ['a negative one', { 'retry-after': '-5' }],
  ['zero', { 'retry-after': '0' }],
  ['one that is none', { 'retry-after': 'soon' }],
  ['a date in the past', { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }],
])('a 429 with %s and a reset in the past is still followed by growing waits', async (_name, headers) => {
  const clock = virtualClock();
  await refuseAll(429, 'rate_limit_exceeded', { 'x-ratelimit-reset': 1, ...headers });
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  const petstore = client({ clock });
  await expect(petstore.listOrders()).rejects.toMatchObject({ attempts: 4, retryAfter: 5 });
  expect(clock.sleeps).toEqual([1500, 2000, 3000]);
});

test('no refusal in a minute comes near a ban, whatever the server forgets to say', async () => {
  const clock = virtualClock();
  const started = clock.now();
  const at: number[] = [];
  await startServer((_request, response) => {
    at.push(clock.now() - started);
    response.writeHead(429).end();
  });
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const petstore = client({ clock });
  await Promise.allSettled(Array.from({ length: 500 }, () => petstore.listOrders()));
  for (const time of at)
    expect(at.filter((each) => each >= time && each < time + 60_000).length).toBeLessThanOrEqual(60);
});

test.each(['3600', '99999999999', '1e30'])('a Retry-After of %s is not waited for', async (value) => {
  await refuseAll(429, 'rate_limit_exceeded', { 'retry-after': value, 'x-ratelimit-reset': 0 });
  const error = await rejection(client().listOrders());
  expect(error).toBeInstanceOf(RateLimitError);
  const retryAfter = Number(value);
  expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', retryAfter, attempts: 1 });
  expect(server.requests).toHaveLength(1);
});

test.each(['1e309', 'Infinity', '9'.repeat(400), '0, 1e309'])(
  'a Retry-After of %s makes no sense, and does not hold up later calls for ever',
  async (value) => {
    await startServer((_request, response, count) =>
      count === 1
        ? refuse(response, 429, 'rate_limit_exceeded', { 'retry-after': value, 'x-ratelimit-reset': 1 })
        : json(response, 200, []),
    );
    const reply = await client().listOrders().reply();
    expect(reply).toMatchObject({ status: 200, attempts: 2 });
  },
);

test('a dropped connection is tried again, and reported with its cause when it stays so', async () => {
  await startServer((request, response, count) =>
    count % 5 === 0 ? json(response, 200, []) : request.socket.destroy(),
  );
  const petstore = client();
  const error = await rejection(petstore.listOrders());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).not.toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ code: 'connection_failed', attempts: 4 });
  expect((error as Error).cause).toBeDefined();
  expect(await petstore.listOrders()).toEqual([]);
});

test('a connection dropped in the middle of a body is tried again', async () => {
  await startServer((request, response, count) => {
    if (count > 1) return json(response, 200, [{ id: 1 }]);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('[{"id":1},', () => request.socket.destroy());
  });
  const reply = await client().listOrders().reply();
  expect(reply).toMatchObject({ declared: true, status: 200, attempts: 2, body: [{ id: 1 }] });
});

test('a cancel whose answer was lost is repeated', async () => {
  await startServer((request, response, count) =>
    count === 1 ? request.socket.destroy() : response.writeHead(204).end(),
  );
  await client().cancelOrder({ orderId: 1 });
  expect(server.requests).toEqual(['DELETE /v1/store/orders/1', 'DELETE /v1/store/orders/1']);
});

test('an attempt that stalls is given up in time and tried again', async () => {
  await startServer((_request, response, count) => {
    if (count > 1) json(response, 200, []);
  });
  // On a busy machine the next one may be late as well.
  expect(await client({ timeout: 500 }).listOrders()).toEqual([]);
  expect(server.requests.length).toBeGreaterThan(1);
});

test('a body that stalls is given up in time', async () => {
  await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('[');
  });
  const error = await rejection(client({ timeout: 50, maxAttempts: 2 }).listOrders());
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ code: 'timeout', attempts: 2 });
});

test('a call that stalls ends with its budget, the calls behind it as well', async () => {
  await startServer(() => {});
  const petstore = client({ budget: 150 });
  const [first, second] = await Promise.allSettled([petstore.listOrders(), petstore.listOrders()]);
  expect(first).toMatchObject({ reason: { code: 'timeout', attempts: 1 } });
  expect(second).toMatchObject({ reason: { code: 'timeout' } });
});

test('a signal ends a call with its reason: before it, while it waits, while it is answered and as that is judged', async () => {
  const reason = new Error('not needed');
  await startServer(() => {});
  await expect(client().listOrders({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(server.requests).toHaveLength(0);

  const controller = new AbortController();
  const call = client({ onRequest: () => setImmediate(() => controller.abort(reason)) }).listOrders(
    {},
    { signal: controller.signal },
  );
  await expect(call).rejects.toBe(reason);

  const waiting = new AbortController();
  await refuseAll(503, 'service_unavailable', { 'retry-after': 30 });
  const waits = client({ onRetry: () => waiting.abort(reason) });
  await expect(waits.listOrders({}, { signal: waiting.signal })).rejects.toBe(reason);

  const judged = new AbortController();
  jest.spyOn(Math, 'random').mockImplementationOnce(() => {
    judged.abort(reason);
    return 0;
  });
  await refuseAll(503, 'service_unavailable');
  await expect(client().listOrders({}, { signal: judged.signal })).rejects.toBe(reason);
});

test.each<(late: Promise<never>) => PetstoreOptions>([
  (late) => ({ apiKey: () => late }),
  (late) => ({ headers: () => late }),
  (late) => ({ onRequest: () => late }),
])('a call that is given up while it asks sends nothing once it is answered: %p', async (asking) => {
  const reason = new Error('not needed');
  let answer = (_value: never) => {};
  const late = new Promise<never>((resolve) => (answer = resolve));
  const fetch = jest.fn(() => Promise.resolve(Response.json([])));
  const controller = new AbortController();
  const call = client({ fetch, ...asking(late) }).listOrders({}, { signal: controller.signal });
  await new Promise((turn) => setImmediate(turn));
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);
  answer({} as never);
  await new Promise((turn) => setImmediate(turn));
  expect(fetch).not.toHaveBeenCalled();
});

test('a signal may be shared by many calls: it is listened to once, and ends them all', async () => {
  const reason = new Error('closing');
  const controller = new AbortController();
  const { signal } = controller;
  await startServer(() => {});
  const petstore = client();
  const calls = Array.from({ length: 20 }, () => petstore.listOrders({}, { signal }));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  controller.abort(reason);
  for (const call of calls) await expect(call).rejects.toBe(reason);
});
