import type { Account } from '../src/limits/limiter.ts';
import { consume, DAY, isSpent, MINUTE, newCounters, peek } from '../src/limits/windows.ts';

const START = Date.parse('2026-11-21T12:00:00.250Z');
const POLICY = { refusalRatio: 1, duration: 15 * MINUTE };
const account = (perMinute: number, perDay: number, banGeneration?: number): Account => ({
  id: 'key:1',
  quota: { perMinute, perDay },
  ...(banGeneration !== undefined && { banGeneration }),
});

function refusalsOf(counters: ReturnType<typeof newCounters>, who: Account, count: number, now: number) {
  return Array.from({ length: count }, () => consume(counters, who, POLICY, now).refusal?.code);
}

test('an account that was never seen has its whole quota, and looking at it opens no window', () => {
  const counters = newCounters();
  expect(peek(counters, account(60, 1000), START)).toEqual({
    limit: 60,
    remaining: 60,
    resetAt: START + MINUTE,
  });
  expect(counters).toEqual(newCounters());
  expect(isSpent(counters, START)).toBe(true);
});

test('a window ends exactly a minute after its first request, not a millisecond earlier', () => {
  const counters = newCounters();
  const who = account(1, 10);
  expect(consume(counters, who, POLICY, START).refusal).toBeUndefined();
  expect(consume(counters, who, POLICY, START + MINUTE - 1).refusal).toMatchObject({ retryAfter: 1 });
  expect(consume(counters, who, POLICY, START + MINUTE).refusal).toBeUndefined();
});

test('a day lasts 24 hours from its first request, over midnight', () => {
  const counters = newCounters();
  const who = account(10, 1);
  consume(counters, who, POLICY, START);
  expect(consume(counters, who, POLICY, START + DAY - 1).refusal?.retryAfter).toBe(1);
  expect(consume(counters, who, POLICY, START + DAY).refusal).toBeUndefined();
});

test('Retry-After rounds up, so that whoever waits that long is not refused again', () => {
  const counters = newCounters();
  const who = account(1, 10);
  consume(counters, who, POLICY, START);
  for (const wait of [1, 999, 1000, 1001, 59_001, 59_999]) {
    const { refusal } = consume(counters, who, POLICY, START + wait);
    expect(refusal?.retryAfter).toBe(Math.ceil((MINUTE - wait) / 1000));
  }
});

test('peek tells what consume has told last', () => {
  const counters = newCounters();
  const who = account(3, 4, 0);
  for (const wait of [0, 10, 20, 30, MINUTE, MINUTE + 1, MINUTE + 2]) {
    const { limit, remaining, resetAt } = consume(counters, who, POLICY, START + wait);
    if (remaining > 0) expect(peek(counters, who, START + wait)).toEqual({ limit, remaining, resetAt });
    expect(peek(counters, who, START + wait).remaining).toBe(remaining);
  }
});

test('a quota that was lowered leaves nothing, never less than nothing', () => {
  const counters = newCounters();
  for (let index = 0; index < 5; index += 1) consume(counters, account(10, 100), POLICY, START);
  expect(peek(counters, account(2, 100), START)).toMatchObject({ limit: 2, remaining: 0 });
});

test('only an account that can be unbanned is ever banned', () => {
  const address = newCounters();
  expect(new Set(refusalsOf(address, account(2, 10), 22, START).slice(2))).toEqual(
    new Set(['rate_limit_exceeded']),
  );
  const key = newCounters();
  expect(refusalsOf(key, account(2, 10, 0), 5, START)).toEqual([
    undefined,
    undefined,
    'rate_limit_exceeded',
    'api_key_banned',
    'api_key_banned',
  ]);
});

test('a ban lasts its time, whatever comes meanwhile, and leaves no refusals behind', () => {
  const counters = newCounters();
  const who = account(2, 10, 0);
  refusalsOf(counters, who, 4, START);
  const end = START + 15 * MINUTE;
  expect(consume(counters, who, POLICY, end - 1)).toMatchObject({ remaining: 0, resetAt: end });
  expect(isSpent(counters, end - 1)).toBe(false);
  expect(refusalsOf(counters, who, 4, end)).toEqual([
    undefined,
    undefined,
    'rate_limit_exceeded',
    'api_key_banned',
  ]);
});

test('a ban from before it was lifted is void', () => {
  const counters = newCounters();
  refusalsOf(counters, account(2, 10, 3), 4, START);
  expect(peek(counters, account(2, 10, 4), START + MINUTE)).toMatchObject({ remaining: 2 });
  expect(consume(counters, account(2, 10, 4), POLICY, START + MINUTE).refusal).toBeUndefined();
});

test('a clock that steps back a little does not open a new window; one that steps back a lot does', () => {
  const counters = newCounters();
  const who = account(1, 10);
  consume(counters, who, POLICY, START);
  expect(consume(counters, who, POLICY, START - 1000).refusal).toBeDefined();
  expect(consume(counters, who, POLICY, START - DAY).refusal).toBeUndefined();
});
