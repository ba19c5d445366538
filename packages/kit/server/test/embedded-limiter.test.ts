import { openCountersFile } from '../src/limits/counters-file.ts';
import { createEmbeddedLimiter } from '../src/limits/embedded-limiter.ts';
import type { Limiter } from '../src/limits/limiter.ts';
import { DAY } from '@kit/contract/windows';
import { newFolder, createClock } from './support/index.ts';
import { describeLimiter, openEmbeddedLimiter, policy } from './suites/limiter.ts';
import { filesIn } from './library/service.ts';

const failures: unknown[] = [];
afterEach(() => expect(failures).toEqual([]));
const QUOTA = { perMinute: 60, perDay: 1000 };
const clock = createClock();

function open(file: string): Limiter {
  return createEmbeddedLimiter({
    file: openCountersFile(file),
    policy,
    now: clock,
    onError: (error) => failures.push(error),
  });
}

describeLimiter('in this process', (now) => Promise.resolve(openEmbeddedLimiter(now)));

function accountsIn(file: string): string[] {
  const counters = openCountersFile(file);
  const ids = [...counters.load()].map(([id]) => id);
  counters.close();
  return ids;
}

test('continues counting after a restart', async () => {
  const file = filesIn(newFolder()).counters;
  const first = open(file);
  await first.consume({ id: 'key:1', quota: QUOTA, banEpoch: 0 });
  await first.consume({ id: 'address:203.0.113.1', quota: QUOTA });
  await first.close();
  const second = open(file);
  expect(await second.consume({ id: 'key:1', quota: QUOTA, banEpoch: 0 })).toMatchObject({
    remaining: 58,
  });
  expect(await second.peek({ id: 'address:203.0.113.1', quota: QUOTA })).toMatchObject({ remaining: 59 });
  await second.close();
});

test('removes the counters of a key or address after a day without requests', async () => {
  const file = filesIn(newFolder()).counters;
  const first = open(file);
  await first.consume({ id: 'key:1', quota: QUOTA, banEpoch: 0 });
  await first.consume({ id: 'address:203.0.113.1', quota: QUOTA });
  await first.close();
  expect(accountsIn(file)).toHaveLength(2);
  clock.advance(DAY / 2);
  const second = open(file);
  await second.consume({ id: 'address:198.51.100.1', quota: QUOTA });
  clock.advance(DAY / 2);
  await second.close();
  expect(accountsIn(file)).toEqual(['address:198.51.100.1']);
});

test('the file does not grow with the number of addresses', async () => {
  const file = filesIn(newFolder()).counters;
  for (const network of ['a', 'b']) {
    const limiter = open(file);
    for (let index = 0; index < 15_000; index += 1) {
      await limiter.consume({ id: `address:2001:db8:${network}:${index}::/64`, quota: QUOTA });
    }
    await limiter.close();
  }
  expect(accountsIn(file)).toHaveLength(10_000);
});
