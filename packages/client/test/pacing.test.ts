import { RateLimitError, type Clock, type Fetch, type WaitEvent } from '@petstore/client';
import { createFakePetstore } from '@petstore/client/testing';
import { client, refuseAll, refuseOnce, server, virtualClock } from './served.ts';

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => make(i));

/** A server that limits a key by `clock`, and counts the requests that it served and refused. */
function keyOf(clock: Clock, perMinute = 60) {
  const fake = createFakePetstore({ clock, plan: { perMinute, perDay: 1_000_000 } });
  const count = { served: 0, refused: 0 };
  const fetch: Fetch = async (url, init) => {
    const response = await fake.fetch(url, init);
    count[response.status === 429 ? 'refused' : 'served']++;
    return response;
  };
  return { count, fetch };
}

test('300 calls at once with a quota of 60 a minute all succeed, without a refusal', async () => {
  const clock = virtualClock();
  const { count, fetch } = keyOf(clock);
  const petstore = client({ clock, fetch, budget: 600_000 });
  await Promise.all(times(300, () => petstore.listOrders()));
  expect(count).toEqual({ served: 300, refused: 0 });
});

test('calls that cannot fit their budget fail at once, without a request', async () => {
  const clock = virtualClock();
  const { count, fetch } = keyOf(clock);
  const onWait = jest.fn();
  const petstore = client({ clock, fetch, budget: 5_000, onWait });
  const results = await Promise.all(times(300, () => petstore.listOrders().catch((error: unknown) => error)));
  const errors = results.filter((result) => result instanceof RateLimitError);
  expect(errors).toHaveLength(240);
  for (const error of errors)
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', attempts: 0, retryAfter: 60 });
  expect(count).toEqual({ served: 60, refused: 0 });
  expect(onWait).not.toHaveBeenCalled();
});

test('a refusal of one call pauses all calls of the client', async () => {
  const clock = virtualClock();
  await refuseAll(429, 'api_key_banned', { 'retry-after': 900, 'x-ratelimit-reset': 0 });
  const petstore = client({ clock });
  const refusal = { code: 'api_key_banned', retryAfter: 900 };
  await expect(petstore.listOrders()).rejects.toMatchObject({ ...refusal, attempts: 1 });
  await expect(petstore.cancelOrder({ orderId: 1 })).rejects.toMatchObject({ ...refusal, attempts: 0 });
  expect(server.requests).toHaveLength(1);
});

test('sends calls in order, and skips one that is aborted while it waits', async () => {
  const clock = virtualClock();
  const { count, fetch } = keyOf(clock, 2);
  const sent: string[] = [];
  const onRequest = ({ url }: { url: string }) => void sent.push(url.slice(-1));
  const petstore = client({ clock, fetch, budget: 600_000, onRequest });
  const controller = new AbortController();
  const optionsOf = (orderId: number) => (orderId === 3 ? { signal: controller.signal } : {});
  const calls = times(6, (orderId) => petstore.cancelOrder({ orderId }, optionsOf(orderId)));
  controller.abort(new Error('not needed'));
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([results[3]]);
  expect(results[3]).toMatchObject({ reason: { message: 'not needed' } });
  expect([sent, count.refused]).toEqual([['0', '1', '2', '4', '5'], 0]);
});

describe('onWait and the debug log report a wait before it begins,', () => {
  function observed() {
    const clock = virtualClock();
    const waits: Pick<WaitEvent, 'operation' | 'reason' | 'delay'>[] = [];
    const lines: string[] = [];
    const onWait = ({ operation, reason, delay, until }: WaitEvent) => {
      expect(until.getTime() - clock.now()).toBe(delay);
      waits.push({ operation, reason, delay });
    };
    const logger = { debug: (line: string) => void lines.push(line) };
    return { clock, waits, lines, options: { clock, onWait, logger } };
  }

  test('for the quota, to every call that waits', async () => {
    const { clock, waits, lines, options } = observed();
    const petstore = client({ ...options, fetch: keyOf(clock, 2).fetch, budget: 600_000 });
    await Promise.all([...times(3, () => petstore.listOrders()), petstore.cancelOrder({ orderId: 1 })]);
    const wait = { reason: 'quota', delay: 60_000 };
    expect(waits).toEqual(['listOrders', 'cancelOrder'].map((operation) => ({ operation, ...wait })));
    const until = new Date(clock.now()).toISOString();
    expect(lines).toContain(`petstore: listOrders: waits 60000 ms, until ${until} (quota)`);
  });

  test.each([
    [429, 'refused'],
    [503, 'retry'],
  ])('after status %d, as %s', async (status, reason) => {
    const { waits, options } = observed();
    await refuseOnce(status, { 'retry-after': 7, 'x-ratelimit-reset': 0 });
    await client(options).listOrders();
    expect(waits).toEqual([{ operation: 'listOrders', reason, delay: 7_000 }]);
  });
});
