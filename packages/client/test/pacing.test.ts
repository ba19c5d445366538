import { RateLimitError, type Clock, type Fetch } from '@petstore/client';
import { createFakePetstore } from '@petstore/client/testing';
import { json, refuse } from './server.ts';
import { answerAll, client, refuseAll, server, startServer } from './served.ts';
import { virtualClock } from './virtual-clock.ts';

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => make(i));

/** A key as the service limits, refuses and bans it, by `clock`, and what came of its requests. */
function keyOf(clock: Clock, perMinute = 60) {
  const fake = createFakePetstore({ clock, plan: { perMinute, perDay: 1_000_000 } });
  const count = { served: 0, refused: 0, bans: 0 };
  const fetch: Fetch = async (url, init) => {
    const response = await fake.fetch(url, init);
    count[response.status === 429 ? 'refused' : 'served']++;
    if ((await response.clone().text()).includes('api_key_banned')) count.bans++;
    return response;
  };
  return { count, fetch };
}

describe('300 calls at once on a key with 60 a minute', () => {
  test('all succeed within their budget, without a single refusal', async () => {
    const clock = virtualClock();
    const { count, fetch } = keyOf(clock);
    const petstore = client({ clock, fetch, budget: 600_000 });
    await Promise.all(times(300, () => petstore.listOrders()));
    expect(count).toEqual({ served: 300, refused: 0, bans: 0 });
  });

  test('those that cannot fit their budget fail at once, without a request', async () => {
    const clock = virtualClock();
    const { count, fetch } = keyOf(clock);
    const petstore = client({ clock, fetch, budget: 5_000 });
    const results = await Promise.allSettled(times(300, () => petstore.listOrders()));
    const errors = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    expect(errors).toHaveLength(240);
    for (const error of errors) {
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', attempts: 0, retryAfter: 60 });
    }
    expect(count).toEqual({ served: 60, refused: 0, bans: 0 });
  });

  test('meet at most one refusal when others have used the key up before', async () => {
    const clock = virtualClock();
    const { count, fetch } = keyOf(clock);
    const other = client({ clock, fetch });
    await Promise.all(times(60, () => other.listOrders()));
    const petstore = client({ clock, fetch, budget: 600_000 });
    await Promise.all(times(300, () => petstore.listOrders()));
    expect(count).toEqual({ served: 360, refused: 1, bans: 0 });
  });
});

test.each([-600_000, 600_000])('a clock that is %d ms off changes nothing', async (error) => {
  const serverClock = virtualClock();
  const { count, fetch } = keyOf(serverClock);
  const clock: Clock = {
    now: () => serverClock.now() + error,
    sleep: (milliseconds, signal) => serverClock.sleep(milliseconds, signal),
  };
  const petstore = client({ clock, fetch, budget: 70_000 });
  await Promise.all(times(100, () => petstore.listOrders()));
  expect(count).toMatchObject({ served: 100, refused: 0 });
  expect(serverClock.sleeps).toEqual([60_000]);
});

test.each([-600_000, 600_000])(
  'a date to retry after is read by the server’s clock, ours being %d ms off',
  async (error) => {
    const date = Date.UTC(2026, 10, 24, 9);
    const clock = virtualClock(date + error);
    await startServer((_request, response, count) =>
      count > 1
        ? json(response, 200, [])
        : refuse(response, 429, 'rate_limit_exceeded', {
            date: new Date(date).toUTCString(),
            'retry-after': new Date(date + 30_000).toUTCString(),
            'x-ratelimit-reset': date / 1000 + 30,
          }),
    );
    expect(await client({ clock }).listOrders()).toEqual([]);
    expect(clock.sleeps).toEqual([30_000]);
  },
);

test('a refusal of one call pauses all calls of the client', async () => {
  const clock = virtualClock();
  await refuseAll(429, 'api_key_banned', { 'retry-after': 900, 'x-ratelimit-reset': 0 });
  const petstore = client({ clock });
  await expect(petstore.listOrders()).rejects.toMatchObject({
    code: 'api_key_banned',
    attempts: 1,
    retryAfter: 900,
  });
  await expect(petstore.cancelOrder({ orderId: 1 })).rejects.toMatchObject({
    code: 'api_key_banned',
    attempts: 0,
    retryAfter: 900,
  });
  expect(server.requests).toHaveLength(1);
});

test('calls are sent in the order in which they were made', async () => {
  await startServer((_request, response) => response.writeHead(204).end());
  const petstore = client();
  await Promise.all(times(5, (index) => petstore.cancelOrder({ orderId: index })));
  expect(server.requests[0]).toBe('DELETE /v1/store/orders/0');
  expect(server.requests).toHaveLength(5);
});

test('a server that tells of no limits is sent 16 requests at a time at most', async () => {
  let open = 0;
  let most = 0;
  await startServer((_request, response) => {
    most = Math.max(most, ++open);
    setImmediate(() => {
      open--;
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
  });
  const petstore = client();
  await Promise.all(times(100, () => petstore.listOrders()));
  expect(server.requests).toHaveLength(100);
  expect(most).toBeLessThanOrEqual(16);
});

test('a call that is aborted while it waits leaves the line to the others', async () => {
  const clock = virtualClock();
  const { count, fetch } = keyOf(clock, 2);
  const petstore = client({ clock, fetch, budget: 600_000 });
  const controller = new AbortController();
  const calls = times(6, (index) =>
    petstore.listOrders({}, index === 3 ? { signal: controller.signal } : {}),
  );
  controller.abort(new Error('not needed'));
  const results = await Promise.allSettled(calls);
  expect(results.map((result) => result.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(results[3]).toMatchObject({ reason: { message: 'not needed' } });
  expect(count.refused).toBe(0);
});

test('a date that makes no sense costs a day at most', async () => {
  const clock = virtualClock();
  await answerAll([], { date: 'Fri, 02 Jan 1970 00:00:00 GMT', 'x-ratelimit-remaining': 0 });
  const petstore = client({ clock, budget: Infinity });
  await petstore.listOrders();
  await petstore.listOrders();
  expect(clock.sleeps).toEqual([24 * 60 * 60_000]);
});

test('a clock that is hours off, and a response without a date, cost a minute at most', async () => {
  const clock = virtualClock();
  await startServer((_request, response, count) => {
    response.sendDate = false;
    if (count > 1) return json(response, 200, []);
    refuse(response, 429, 'rate_limit_exceeded', { 'x-ratelimit-reset': clock.now() / 1000 + 36_000 });
  });
  await client({ clock }).listOrders();
  expect(clock.sleeps).toEqual([60_000]);
});
