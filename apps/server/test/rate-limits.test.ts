import { addressOf, trusts } from '../src/http/address.ts';
import { expectError, rateLimitIn } from './support/expect.ts';
import { startTestService, type TestService } from './support/service.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

// After a day every window has ended.
afterEach(() => service.clock.advance(24 * 60 * 60_000));

const list = (key?: string) => service.request('/v1/store/orders', key === undefined ? {} : { key });
const seconds = () => Math.ceil(service.clock() / 1000);

async function times(count: number, key?: string): Promise<Response[]> {
  const responses: Response[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await list(key));
  return responses;
}

test('of 70 concurrent requests of a Free key exactly 60 succeed', async () => {
  const key = await service.key('free');
  const responses = await Promise.all(Array.from({ length: 70 }, () => list(key)));
  const of = (status: number) => responses.filter((response) => response.status === status);
  expect([of(200).length, of(429).length]).toEqual([60, 10]);
  const left = of(200).map(({ headers }) => rateLimitIn(headers).remaining ?? -1);
  expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index));
  for (const response of of(429)) await expectError(response, 'rate_limit_exceeded');
});

test('Retry-After is whole seconds, at least 1, and agrees with X-RateLimit-Reset', async () => {
  const key = await service.key('enterprise', { perMinute: 5, perDay: 100 });
  await times(5, key);
  for (const wait of [0, 500, 59_000, 499]) {
    service.clock.advance(wait);
    const { headers, status } = await list(key);
    expect(status).toBe(429);
    const retryAfter = Number(headers.get('retry-after'));
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const { reset = 0 } = rateLimitIn(headers);
    expect(Math.abs(seconds() + retryAfter - reset)).toBeLessThanOrEqual(1);
  }
});

test('the window of a day refuses when the minute would not, and says when the day is over', async () => {
  const key = await service.key('enterprise', { perMinute: 3, perDay: 4 });
  const dayEnd = seconds() + DAY / 1000;
  await times(3, key);
  service.clock.advance(MINUTE);
  expect(rateLimitIn((await list(key)).headers)).toEqual({ limit: 4, remaining: 0, reset: dayEnd });
  const refused = await list(key);
  expect(rateLimitIn(refused.headers)).toEqual({ limit: 4, remaining: 0, reset: dayEnd });
  expect(Number(refused.headers.get('retry-after'))).toBe(dayEnd - seconds());
  await expectError(refused, 'rate_limit_exceeded');
  service.clock.advance(DAY - MINUTE);
  expect((await list(key)).status).toBe(200);
});

test('the headers describe the window with fewer requests remaining; on a tie the one that resets later', async () => {
  const dayFirst = await service.key('enterprise', { perMinute: 10, perDay: 5 });
  expect(rateLimitIn((await list(dayFirst)).headers)).toMatchObject({ limit: 5, remaining: 4 });
  const minuteFirst = await service.key('enterprise', { perMinute: 5, perDay: 10 });
  expect(rateLimitIn((await list(minuteFirst)).headers)).toMatchObject({ limit: 5, remaining: 4 });
  const tie = await service.key('enterprise', { perMinute: 5, perDay: 5 });
  expect(rateLimitIn((await list(tie)).headers)).toEqual({
    limit: 5,
    remaining: 4,
    reset: seconds() + DAY / 1000,
  });
});

test('every request counts, whatever its outcome', async () => {
  const key = await service.key('free');
  await service.addOrders([{ id: 1, status: 'shipped' }]);
  const outcomes: [string, string, number][] = [
    ['GET', '/v1/store/orders', 200],
    ['HEAD', '/v1/store/orders', 200],
    ['DELETE', '/v1/store/orders/1', 409],
    ['DELETE', '/v1/store/orders/2', 404],
    ['DELETE', '/v1/store/orders/abc', 400],
    ['GET', '/v1/store/orders?page=2', 400],
    ['GET', '/v1/store/%zz', 400],
    ['PUT', '/v1/store/orders', 405],
    ['GET', '/v1/nothing/here', 404],
    ['GET', '/v1', 404],
  ];
  let left = 60;
  for (const [method, target, status] of outcomes) {
    const response = await service.request(target, { method, key });
    left -= 1;
    expect([target, response.status, rateLimitIn(response.headers).remaining]).toEqual([
      target,
      status,
      left,
    ]);
  }
});

test('a refused request consumes neither window', async () => {
  const key = await service.key('enterprise', { perMinute: 5, perDay: 8 });
  await times(5, key);
  for (const refused of await times(3, key)) expect(refused.status).toBe(429);
  service.clock.advance(MINUTE);
  const statuses = (await times(4, key)).map((response) => response.status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('a refused request does nothing', async () => {
  const key = await service.key('enterprise', { perMinute: 2, perDay: 1 });
  await service.addOrders([{ id: 7 }]);
  await list(key);
  const refused = await service.request('/v1/store/orders/7', { method: 'DELETE', key });
  expect(refused.status).toBe(429);
  expect(await service.store.orders.cancel(7n, 'test', new Date())).toBe('cancelled');
});

test('keys do not share their quota, with each other or with their address', async () => {
  const spent = await service.key('enterprise', { perMinute: 2, perDay: 100 });
  const other = await service.key('enterprise', { perMinute: 2, perDay: 100 });
  await times(3, spent);
  expect(rateLimitIn((await list(other)).headers)).toMatchObject({ remaining: 1 });
  expect(rateLimitIn((await list()).headers)).toMatchObject({ limit: 60, remaining: 59 });
});

test.each([
  ['free', 60],
  ['pro', 300],
  ['business', 1000],
] as const)('the plan %s has %i requests per minute', async (plan, perMinute) => {
  const { headers } = await list(await service.key(plan));
  expect(rateLimitIn(headers)).toMatchObject({ limit: perMinute, remaining: perMinute - 1 });
});

test('clients behind a proxy that is trusted are told apart; one that is not cannot choose its address', async () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  await service.request('/v1/store/orders', from('203.0.113.1'));
  const direct = await service.request('/v1/store/orders', from('203.0.113.2'));
  expect(rateLimitIn(direct.headers).remaining).toBe(58);

  const proxied = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
  await proxied.request('/v1/store/orders', from('203.0.113.1'));
  const other = await proxied.request('/v1/store/orders', from('203.0.113.2'));
  const chain = await proxied.request('/v1/store/orders', from('198.51.100.7, 203.0.113.2'));
  expect([rateLimitIn(other.headers).remaining, rateLimitIn(chain.headers).remaining]).toEqual([59, 58]);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, 'unknown'],
  ['not an address', 'unknown'],
])('the address %s is counted as %s', (ip, counted) => {
  expect(addressOf(ip)).toBe(counted);
});

test.each([
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['10.255.0.1', true],
  ['::ffff:a01:203', true],
  ['2001:db8::1', true],
  ['127.0.0.2', false],
  ['2001:db9::1', false],
  ['10.0.0.1:80', false],
  ['', false],
])('that the proxy %s is trusted is %s', (ip, expected) => {
  expect(trusts(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'])(ip, 0)).toBe(expected);
});

test('of the addresses that a client sends no more are looked at than there may be proxies', async () => {
  const proxied = await startTestService({ env: { TRUST_PROXY: '127.0.0.0/8' } });
  const from = async (address: string) => {
    const headers = { 'x-forwarded-for': `${address}, ${'127.0.0.1, '.repeat(1_000)}127.0.0.1` };
    return rateLimitIn((await proxied.request('/v1/store/orders', { headers })).headers).remaining;
  };
  expect([await from('203.0.113.1'), await from('203.0.113.2')]).toEqual([59, 58]);
});
