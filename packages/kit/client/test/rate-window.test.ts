import { createRateWindow } from '../src/rate-window.ts';

/* Without a clock: each call gets the time in milliseconds. */

const response = (status: number, headers: Record<string, string | number> = {}) => {
  const all = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(null, { status, headers: all });
};
const quota = (remaining: number, reset: number) => ({
  'x-ratelimit-limit': 60,
  'x-ratelimit-remaining': remaining,
  'x-ratelimit-reset': reset,
  date: new Date(1000).toUTCString(),
});

test('one request at a time is sent until a response states the quota', () => {
  const window = createRateWindow();
  expect([window.capacity(0), window.waitFor(0)]).toEqual([1, 0]);
  expect(window.learn(response(200, quota(59, 60)), 0)).toEqual({ limit: 60, remaining: 59, reset: 60 });
  expect([window.capacity(0), window.rateLimit?.remaining]).toEqual([59, 59]);
});

test('a used-up quota lasts until its reset, by the server’s clock', () => {
  const window = createRateWindow();
  window.learn(response(200, quota(0, 60)), 5_000);
  expect([window.waitFor(5_000), window.reason(5_000)]).toEqual([59_000, 'quota']);
  expect([window.waitFor(64_000), window.capacity(64_000)]).toEqual([0, 1]);
});

test('among responses out of order, the lowest count is the latest', () => {
  const window = createRateWindow();
  for (const remaining of [58, 57, 59]) window.learn(response(200, quota(remaining, 60)), 0);
  expect(window.capacity(0)).toBe(57);
  window.learn(response(200, quota(59, 120)), 0);
  expect(window.capacity(0)).toBe(59);
});

test('a refusal pauses for Retry-After, whatever earlier responses stated', () => {
  const window = createRateWindow();
  window.learn(response(200, quota(59, 60)), 0);
  window.learn(response(429, { 'retry-after': 7 }), 0);
  expect([window.waitFor(0), window.reason(0), window.capacity(0)]).toEqual([7_000, 'refused', 1]);
  expect([window.waitFor(7_000), window.reason(7_000)]).toEqual([0, 'quota']);
});

test('a request without a response may have been counted', () => {
  const window = createRateWindow();
  window.learn(response(200, quota(5, 60)), 0);
  window.learn(undefined, 0);
  expect(window.capacity(0)).toBe(4);
});

test('a server that states no limits is sent 16 requests at a time', () => {
  const window = createRateWindow();
  window.learn(response(200), 0);
  expect([window.capacity(0), window.rateLimit]).toEqual([16, undefined]);
});

test('a reset is at most a day away, and at most a minute if the server does not state its time', () => {
  const window = createRateWindow();
  window.learn(response(200, quota(0, 1e9)), 0);
  expect(window.waitFor(0)).toBe(86_400_000);
  const other = createRateWindow();
  other.learn(response(429, { ...quota(0, 36_000), date: '' }), 0);
  expect(other.waitFor(0)).toBe(60_000);
});
