import { getEventListeners } from 'node:events';
import { RateLimitError, type ConnectionError, type Options } from '../src/index.ts';
import {
  after,
  client,
  json,
  refuse,
  refuseAll,
  refuseOnce,
  rejection,
  server,
  startServer,
  virtualClock,
} from './support/served.ts';

afterEach(() => jest.restoreAllMocks());

test.each([
  ...[408, 500, 502, 503, 504].map((status) => [status, 3] as const),
  ...[400, 401, 404, 409, 418, 501].map((status) => [status, 1] as const),
])('after status %d, %d requests are sent', async (status, attempts) => {
  await startServer(after(status, status));
  const call = client().listLoans().result();
  expect(await call).toMatchObject(attempts === 1 ? { error: { status, attempts } } : { data: [] });
  expect(server.requests).toHaveLength(attempts);
});

test('sends four requests by default, or maxAttempts', async () => {
  await refuseAll(500, 'internal_error');
  const library = client();
  await expect(library.listLoans()).rejects.toMatchObject({ code: 'internal_error', attempts: 4 });
  await expect(library.listLoans({}, { maxAttempts: 1 })).rejects.toMatchObject({ attempts: 1 });
  expect(server.requests).toHaveLength(5);
});

test.each([
  [1, 8, [500, 1000, 2000, 4000, 8000, 8000, 8000]],
  [0, 3, []],
])('waits grow exponentially, with full jitter: %d', async (random, maxAttempts, sleeps) => {
  await refuseAll(500, 'internal_error');
  const clock = virtualClock();
  jest.spyOn(Math, 'random').mockReturnValue(random);
  await rejection(client({ clock, maxAttempts }).listLoans());
  expect(clock.sleeps).toEqual(sleeps);
});

const now = virtualClock().now();
const date = new Date(now).toUTCString();
const reset = now / 1000;

test.each<[string, number, Record<string, string | number | string[]>, number]>([
  ['Retry-After, even if the backoff ends sooner', 503, { 'retry-after': 7 }, 7000],
  ['X-RateLimit-Reset without Retry-After', 429, { date, 'x-ratelimit-reset': reset + 42 }, 42_000],
  ['an HTTP-date', 503, { date, 'retry-after': 'Tue, 24 Nov 2026 09:00:30 GMT' }, 30_000],
  ['an RFC 850 date', 503, { date, 'retry-after': 'Tuesday, 24-Nov-26 09:00:30 GMT' }, 30_000],
  ['an asctime date', 503, { date, 'retry-after': 'Tue Nov 24 09:00:30 2026' }, 30_000],
  ['the longer of two Retry-After', 429, { 'retry-after': ['1', '40'] }, 40_000],
  ['the backoff after a reset in the past', 429, {}, 1500],
  ['the backoff after a negative Retry-After', 429, { 'retry-after': '-5' }, 1500],
  ['the backoff after a malformed Retry-After', 429, { 'retry-after': 'soon' }, 1500],
  ['the backoff after a past date', 429, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 1500],
  ['the backoff after an infinite Retry-After', 429, { 'retry-after': '1e309' }, 1500],
])('waits for %s', async (_name, status, headers, delay) => {
  const clock = virtualClock();
  const quota = { 'x-ratelimit-limit': 1, 'x-ratelimit-remaining': 0, 'x-ratelimit-reset': 1 };
  await refuseOnce(status, { ...quota, ...headers });
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  expect(await client({ clock }).listLoans()).toEqual([]);
  expect(clock.sleeps).toEqual([delay]);
});

test.each([-600_000, 600_000])('reads dates by the server’s clock, ours being %d ms off', async (error) => {
  const clock = virtualClock(now + error);
  const until = new Date(now + 30_000).toUTCString();
  await refuseOnce(429, { date, 'retry-after': until, 'x-ratelimit-reset': reset + 30 });
  expect(await client({ clock }).listLoans()).toEqual([]);
  expect(clock.sleeps).toEqual([30_000]);
});

test('waits grow after 429 responses without a usable Retry-After', async () => {
  const clock = virtualClock();
  await refuseAll(429, 'rate_limit_exceeded', { 'x-ratelimit-reset': 1 });
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  await expect(client({ clock }).listLoans()).rejects.toMatchObject({ attempts: 4, retryAfter: 5 });
  expect(clock.sleeps).toEqual([1500, 2000, 3000]);
});

test.each(['60', '99999999999', '1e30'])(
  'does not start a wait that ends after the budget: Retry-After of %s',
  async (value) => {
    const clock = virtualClock();
    await refuseAll(429, 'rate_limit_exceeded', { 'retry-after': value, 'x-ratelimit-reset': 0 });
    const error = await rejection(client({ clock, budget: 59_000 }).listLoans());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, retryAfter: Number(value), attempts: 1 });
    expect([server.requests.length, clock.sleeps]).toEqual([1, []]);
  },
);

test('repeats a cancel whose response was lost, and reports the cause if retries fail too', async () => {
  await startServer((request, response, count) =>
    count % 5 === 0 ? response.writeHead(204).end() : request.socket.destroy(),
  );
  const library = client();
  const error = (await rejection(library.cancelLoan({ loanId: 1 }))) as ConnectionError;
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed', attempts: 4 });
  expect(error.cause).toBeDefined();
  expect(await library.cancelLoan({ loanId: 1 })).toBeUndefined();
});

test('retries a connection that drops in the middle of a body', async () => {
  await startServer((request, response, count) => {
    if (count > 1) return json(response, 200, [{ id: 1 }]);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('[{"id":1},', () => request.socket.destroy());
  });
  const reply = await client().listLoans().reply();
  expect(reply).toMatchObject({ status: 200, attempts: 2, body: [{ id: 1 }] });
});

test('retries an attempt that times out', async () => {
  await startServer((_request, response, count) => {
    if (count > 1) json(response, 200, []);
  });
  // On a busy machine the next attempt may time out too.
  expect(await client({ timeout: 500 }).listLoans()).toEqual([]);
  expect(server.requests.length).toBeGreaterThan(1);
});

test('ends a stalled call, and the calls queued behind it, when the budget is used up', async () => {
  await startServer(() => {});
  const library = client({ budget: 150, clock: undefined });
  const [first, second] = await Promise.allSettled([library.listLoans(), library.listLoans()]);
  expect(first).toMatchObject({ reason: { code: 'timeout', attempts: 1 } });
  expect(second).toMatchObject({ reason: { code: 'timeout' } });
});

test.each<[string, (abort: () => void) => Options | object]>([
  ['during a request', (abort) => ({ onRequest: () => void setImmediate(abort) })],
  ['during a wait', (abort) => ({ onRetry: abort })],
  [
    'between two attempts',
    (abort) => jest.spyOn(Math, 'random').mockImplementationOnce(() => Number(abort())) && {},
  ],
])('an abort %s ends the call with its reason', async (when, optionsOf) => {
  const reason = new Error('not needed');
  const controller = new AbortController();
  const options = optionsOf(() => controller.abort(reason));
  await startServer((_request, response) => {
    if (when !== 'during a request') refuse(response, 503);
  });
  const library = client(options);
  await expect(library.listLoans({}, { signal: controller.signal })).rejects.toBe(reason);
  const before = server.requests.length;
  await expect(library.listLoans({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(server.requests).toHaveLength(before);
});

test.each<(late: Promise<never>) => Options>([
  (late) => ({ apiKey: () => late }),
  (late) => ({ headers: () => late }),
  (late) => ({ onRequest: () => late }),
])('sends nothing if the call is aborted while it waits for a function: %p', async (asking) => {
  const reason = new Error('not needed');
  let answer = (_value: never) => {};
  const late = new Promise<never>((resolve) => (answer = resolve));
  const fetch = jest.fn(() => Promise.resolve(Response.json([])));
  const controller = new AbortController();
  const call = client({ fetch, ...asking(late) }).listLoans({}, { signal: controller.signal });
  await new Promise((turn) => setImmediate(turn));
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);
  answer({} as never);
  await new Promise((turn) => setImmediate(turn));
  expect(fetch).not.toHaveBeenCalled();
});

test('many calls may share a signal: it gets one listener, and ends them all', async () => {
  const reason = new Error('closing');
  const controller = new AbortController();
  const { signal } = controller;
  await startServer(() => {});
  const library = client();
  const calls = Array.from({ length: 20 }, () => library.listLoans({}, { signal }));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  controller.abort(reason);
  for (const call of calls) await expect(call).rejects.toBe(reason);
});
