import type { Quota } from '@contract-kit/core/limits';
import { addressIn, countedAddress, trusts } from '../src/http/address.ts';
import type { KeyRecord } from '../src/keys/key-store.ts';
import { rateLimitIn } from '@contract-kit/test-support/testing';
import { sharedService, startTestService, expectError } from './library/service.ts';

const MINUTE = 60_000;
const QUOTA = { perMinute: 5, perDay: 100 };

const service = sharedService();

// All windows end within a day.
afterEach(() => service.clock.advance(24 * 60 * 60_000));

const list = (key?: string) => service.list(key);

async function codes(count: number, key: string): Promise<string[]> {
  const found: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const response = await list(key);
    found.push(response.ok ? 'ok' : ((await response.json()) as { code: string }).code);
  }
  return found;
}

const several = (count: number, code: string) => Array.from({ length: count }, () => code);

test('of 70 concurrent requests with a Free key exactly 60 succeed', async () => {
  const key = await service.key('free');
  const responses = await Promise.all(Array.from({ length: 70 }, () => list(key)));
  const of = (status: number) => responses.filter((response) => response.status === status);
  expect([of(200).length, of(429).length]).toEqual([60, 10]);
  const left = of(200).map(({ headers }) => rateLimitIn(headers).remaining ?? -1);
  expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index));
  for (const response of of(429)) await expectError(response, 'rate_limit_exceeded');
});

test('every request counts, whatever its outcome', async () => {
  const key = await service.key('free');
  await service.addLoans([{ id: 1, returned: true }]);
  const outcomes: [string, string, number][] = [
    ['HEAD', '/v1/loans', 200],
    ['DELETE', '/v1/loans/1', 409],
    ['DELETE', '/v1/loans/2', 404],
    ['DELETE', '/v1/loans/abc', 400],
    ['GET', '/v1/loans/%zz', 400],
    ['PUT', '/v1/loans', 405],
    ['GET', '/v1/nothing/here', 404],
  ];
  let left = 60;
  for (const [method, target, status] of outcomes) {
    const response = await service.request(target, { method, key });
    left -= 1;
    const { remaining } = rateLimitIn(response.headers);
    expect([target, response.status, remaining]).toEqual([target, status, left]);
  }
});

test('a refused request does nothing', async () => {
  const key = await service.key('enterprise', { perMinute: 2, perDay: 1 });
  await service.addLoans([{ id: 7 }]);
  await list(key);
  expect((await service.cancel(7, key)).status).toBe(429);
  expect(await service.cancelled()).toEqual([]);
});

test('keys share neither quota nor ban with each other or with their address', async () => {
  const [spent, other] = [await service.key('enterprise', QUOTA), await service.key('enterprise', QUOTA)];
  await codes(10, spent);
  expect(rateLimitIn((await list(other)).headers)).toMatchObject({ remaining: 4 });
  expect(rateLimitIn((await list()).headers)).toMatchObject({ limit: 60, remaining: 59 });
});

test('refusals spread over more than a minute do not lead to a ban', async () => {
  const key = await service.key('enterprise', { perMinute: 5, perDay: 5 });
  await codes(5, key);
  for (let round = 0; round < 4; round += 1) {
    expect(await codes(4, key)).toEqual(several(4, 'rate_limit_exceeded'));
    service.clock.advance(MINUTE);
  }
});

test('OPTIONS succeeds with a banned key, and shows the ban', async () => {
  const key = await service.key('enterprise', QUOTA);
  await codes(10, key);
  const response = await service.request('/v1/loans', { method: 'OPTIONS', key });
  expect(response.status).toBe(204);
  expect(rateLimitIn(response.headers)).toMatchObject({
    remaining: 0,
    reset: Math.ceil(service.clock() / 1000) + 900,
  });
});

test('the operator can lift a ban within 5 seconds, and the next ban works as the first', async () => {
  const { id, key } = await service.keyWithId('enterprise', QUOTA);
  await codes(10, key);
  service.clock.advance(MINUTE);
  expect(await service.store.keys.unban(id)).toBe(true);
  service.clock.advance(5_000);
  expect(await codes(10, key)).toEqual([
    ...several(5, 'ok'),
    ...several(4, 'rate_limit_exceeded'),
    'api_key_banned',
  ]);
});

test('a changed quota holds within 5 seconds, in the running windows; a ban stays', async () => {
  const { id, key } = await service.keyWithId('enterprise', QUOTA);
  const { keys } = service.store;
  const change = async (quota: Quota) => {
    const before = (await keys.list()).find((record) => record.id === id) as KeyRecord;
    const event = { at: '', action: 'changed', keyId: id, actor: 'ada' } as const;
    expect(await keys.change(id, before, { ...before, quota }, event)).toBe(true);
    service.clock.advance(5_000);
  };
  await codes(4, key);
  await change({ perMinute: 10, perDay: 100 });
  expect(rateLimitIn((await list(key)).headers)).toMatchObject({ limit: 10, remaining: 5 });
  await change({ perMinute: 3, perDay: 100 });
  expect(await codes(3, key)).toEqual([...several(2, 'rate_limit_exceeded'), 'api_key_banned']);
  await change({ perMinute: 10, perDay: 100 });
  expect(await codes(1, key)).toEqual(['api_key_banned']);
});

test('duration and threshold of a ban are configurable', async () => {
  const strict = await startTestService({ env: { BAN_SECONDS: '30', BAN_REFUSAL_RATIO: '2' } });
  const key = await strict.key('enterprise', QUOTA);
  const responses: Response[] = [];
  for (let index = 0; index < 15; index += 1) responses.push(await strict.list(key));
  const [last, before] = responses.reverse();
  expect(before?.headers.get('retry-after')).toBe('60');
  expect(last?.headers.get('retry-after')).toBe('30');
});

test('distinguishes clients behind a trusted proxy; other clients cannot choose their address', async () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  await service.request('/v1/loans', from('203.0.113.1'));
  const direct = await service.request('/v1/loans', from('203.0.113.2'));
  expect(rateLimitIn(direct.headers).remaining).toBe(58);

  const proxied = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
  await proxied.request('/v1/loans', from('203.0.113.1'));
  const other = await proxied.request('/v1/loans', from('203.0.113.2'));
  const chain = await proxied.request('/v1/loans', from('198.51.100.7, 203.0.113.2'));
  expect([rateLimitIn(other.headers).remaining, rateLimitIn(chain.headers).remaining]).toEqual([59, 58]);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['203.0.113.9:5678', '203.0.113.9'],
  ['[2001:db8:1:2::3]:5678', '2001:db8:1:2::/64'],
  ['not an address', 'unknown'],
])('the address %s is counted as %s', (ip, counted) => {
  expect(countedAddress(addressIn(ip))).toBe(counted);
});

test.each([
  ['127.0.0.1', true],
  ['10.255.0.1', true],
  ['::ffff:a01:203', true],
  ['2001:db8::1', true],
  ['127.0.0.2', false],
  ['', false],
])('whether the proxy %s is trusted: %s', (ip, expected) => {
  expect(trusts(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'])(ip, 0)).toBe(expected);
});

test('reads at most as many X-Forwarded-For addresses as there may be proxies', async () => {
  const proxied = await startTestService({ env: { TRUST_PROXY: '127.0.0.0/8' } });
  const from = async (address: string) => {
    const headers = { 'x-forwarded-for': `${address}, ${'127.0.0.1, '.repeat(1_000)}127.0.0.1` };
    return rateLimitIn((await proxied.request('/v1/loans', { headers })).headers).remaining;
  };
  expect([await from('203.0.113.1'), await from('203.0.113.2')]).toEqual([59, 58]);
});
