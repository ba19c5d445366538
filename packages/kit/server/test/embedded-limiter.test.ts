import { DAY, MINUTE, type Account } from '@contract-kit/core/limits';
import { noCountersFile, openCountersFile } from '../src/limits/counters-file.ts';
import { createEmbeddedLimiter } from '../src/limits/embedded-limiter.ts';
import { filesIn } from './library/service.ts';
import { newFolder } from '@contract-kit/test-support/testing';
import { createClock } from '../src/testing/service.ts';

/* The limits, counted in this process. redis-limiter.test.ts compares the decisions of Redis with these. */

const policy = { refusalRatio: 1, duration: 15 * MINUTE };
const failures: unknown[] = [];
let clock = createClock();

const open = (file = noCountersFile) =>
  createEmbeddedLimiter({ file, policy, now: () => clock(), onError: (error) => failures.push(error) });
let limiter: ReturnType<typeof open>;

beforeEach(() => {
  clock = createClock(Date.parse('2026-11-21T12:00:00.250Z'));
  limiter = open();
});

afterEach(async () => {
  await limiter.close();
  expect(failures).toEqual([]);
});

const account = (perMinute: number, perDay: number, banEpoch?: number): Account => ({
  id: 'key:1',
  quota: { perMinute, perDay },
  ...(banEpoch !== undefined && { banEpoch }),
});

async function refusals(who: Account, count: number): Promise<(string | undefined)[]> {
  const codes: (string | undefined)[] = [];
  for (let request = 0; request < count; request += 1) codes.push((await limiter.consume(who)).refusal?.code);
  return codes;
}

test('a new account has its full quota, and reading it opens no window', async () => {
  const whole = { limit: 60, remaining: 60 };
  expect(await limiter.peek(account(60, 1000))).toEqual({ ...whole, resetAt: clock() + MINUTE });
  clock.advance(1_000);
  expect(await limiter.peek(account(60, 1000))).toEqual({ ...whole, resetAt: clock() + MINUTE });
});

test.each([
  ['a minute', MINUTE, 1, 10],
  ['24 hours, over midnight,', DAY, 10, 1],
])('a window ends exactly %s after its first request', async (_, length, perMinute, perDay) => {
  const who = account(perMinute, perDay);
  expect((await limiter.consume(who)).refusal).toBeUndefined();
  clock.advance(length - 1);
  expect((await limiter.consume(who)).refusal).toMatchObject({ retryAfter: 1 });
  clock.advance(1);
  expect((await limiter.consume(who)).refusal).toBeUndefined();
});

test('Retry-After rounds up, so that a client that waits for it succeeds', async () => {
  const who = account(1, 10);
  const end = clock() + MINUTE;
  await limiter.consume(who);
  for (const left of [59_999, 59_000, 58_999, 999, 1]) {
    clock.advance(end - left - clock());
    expect((await limiter.consume(who)).refusal?.retryAfter).toBe(Math.ceil(left / 1_000));
  }
  clock.advance(1_000);
  expect((await limiter.consume(who)).refusal).toBeUndefined();
});

test('when both windows are full, the later end is reported', async () => {
  const who = account(2, 2);
  const resetAt = clock() + DAY;
  await refusals(who, 2);
  expect(await limiter.consume(who)).toMatchObject({ limit: 2, remaining: 0, resetAt });
});

test.each([
  [10, 5, DAY],
  [5, 10, MINUTE],
  [5, 5, DAY],
])(
  'of %i requests per minute and %i per day reports the fewer; on a tie the later reset',
  async (perMinute, perDay, length) => {
    const decision = { limit: 5, remaining: 4, resetAt: clock() + length };
    expect(await limiter.consume(account(perMinute, perDay))).toMatchObject(decision);
  },
);

test('a rejected request consumes neither window', async () => {
  const who = account(5, 8);
  await refusals(who, 8);
  clock.advance(MINUTE);
  expect(await refusals(who, 4)).toEqual([undefined, undefined, undefined, 'rate_limit_exceeded']);
});

test('a lowered quota leaves 0 remaining, never less', async () => {
  await refusals(account(10, 100), 5);
  expect(await limiter.peek(account(2, 100))).toMatchObject({ limit: 2, remaining: 0 });
});

test('a ban lasts its time despite further requests, and resets the count of refusals', async () => {
  const who = account(2, 10, 0);
  const untilBanned = [undefined, undefined, 'rate_limit_exceeded', 'api_key_banned'];
  expect(await refusals(who, 4)).toEqual(untilBanned);
  const end = clock() + policy.duration;
  clock.advance(policy.duration - MINUTE);
  expect(new Set(await refusals(who, 20))).toEqual(new Set(['api_key_banned']));
  clock.advance(MINUTE - 1);
  expect(await limiter.consume(who)).toMatchObject({
    remaining: 0,
    resetAt: end,
    refusal: { code: 'api_key_banned' },
  });
  clock.advance(1);
  expect(await refusals(who, 4)).toEqual(untilBanned);
});

test('a ban set by a fast clock ends when the clock is corrected', async () => {
  const who = account(2, 10, 0);
  await refusals(who, 4);
  clock.advance(-60 * MINUTE);
  expect(await limiter.peek(who)).toMatchObject({ remaining: 2 });
  expect((await limiter.consume(who)).refusal).toBeUndefined();
});

test('a clock that steps back a little does not open a new window; one that steps back a lot does', async () => {
  const who = account(1, 10);
  await limiter.consume(who);
  clock.advance(-1_000);
  expect((await limiter.consume(who)).refusal).toBeDefined();
  clock.advance(-DAY);
  expect((await limiter.consume(who)).refusal).toBeUndefined();
});

function accountsIn(file: string): string[] {
  const counters = openCountersFile(file);
  const ids = [...counters.load()].map(([id]) => id);
  counters.close();
  return ids;
}

test('continues counting after a restart, and drops a caller after a day without requests', async () => {
  const file = filesIn(newFolder()).counters;
  const key = account(60, 1000, 0);
  const [address, other] = [
    { ...key, id: 'address:203.0.113.1' },
    { ...key, id: 'address:198.51.100.1' },
  ];
  const first = open(openCountersFile(file));
  for (const caller of [key, address]) await first.consume(caller);
  await first.close();
  const second = open(openCountersFile(file));
  for (const caller of [key, address]) expect(await second.peek(caller)).toMatchObject({ remaining: 59 });
  clock.advance(DAY / 2);
  await second.consume(other);
  expect(accountsIn(file)).toHaveLength(2);
  clock.advance(DAY / 2);
  await second.close();
  expect(accountsIn(file)).toEqual([other.id]);
});

test('the file does not grow with the number of addresses', async () => {
  const file = filesIn(newFolder()).counters;
  for (const network of ['a', 'b']) {
    const limiter = open(openCountersFile(file));
    for (let index = 0; index < 15_000; index += 1)
      await limiter.consume({ ...account(60, 1000), id: `address:2001:db8:${network}:${index}::/64` });
    await limiter.close();
  }
  expect(accountsIn(file)).toHaveLength(10_000);
});
