import { expectError, rateLimitIn } from './support/expect.ts';
import { createClock, startTestService, type TestService } from './support/service.ts';

const MINUTE = 60_000;
const QUOTA = { perMinute: 5, perDay: 100 };

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

// After a day every window has ended.
afterEach(() => service.clock.advance(24 * 60 * 60_000));

const list = (key: string) => service.request('/v1/store/orders', { key });

async function codes(count: number, key: string): Promise<string[]> {
  const found: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const response = await list(key);
    found.push(response.ok ? 'ok' : ((await response.json()) as { code: string }).code);
  }
  return found;
}

const several = (count: number, code: string) => Array.from({ length: count }, () => code);

test('twice the quota at once ends in a ban of 15 minutes', async () => {
  const key = await service.key('free');
  await Promise.all(Array.from({ length: 120 }, () => list(key)));
  const banned = await list(key);
  expect(banned.headers.get('retry-after')).toBe('900');
  expect(rateLimitIn(banned.headers)).toEqual({
    limit: 60,
    remaining: 0,
    reset: Math.ceil(service.clock() / 1000) + 900,
  });
  await expectError(banned, 'api_key_banned');
});

test('refusals that are spread over more than a minute are no reason for a ban', async () => {
  const key = await service.key('enterprise', { perMinute: 5, perDay: 5 });
  await codes(5, key);
  for (let round = 0; round < 4; round += 1) {
    expect(await codes(4, key)).toEqual(several(4, 'rate_limit_exceeded'));
    service.clock.advance(MINUTE);
  }
});

test('a ban of one key leaves other keys and the address alone', async () => {
  const [banned, other] = [await service.key('enterprise', QUOTA), await service.key('enterprise', QUOTA)];
  await codes(10, banned);
  expect((await list(other)).status).toBe(200);
  expect((await service.request('/v1/store/orders')).status).toBe(401);
});

test('OPTIONS of a banned key is answered, and shows the ban', async () => {
  const key = await service.key('enterprise', QUOTA);
  await codes(10, key);
  const response = await service.request('/v1/store/orders', { method: 'OPTIONS', key });
  expect(response.status).toBe(204);
  expect(rateLimitIn(response.headers)).toMatchObject({
    remaining: 0,
    reset: Math.ceil(service.clock() / 1000) + 900,
  });
});

test('the operator lifts a ban within 5 seconds, and the next one works as the first', async () => {
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

test('length and threshold of a ban are configuration', async () => {
  const strict = await startTestService({ env: { BAN_SECONDS: '30', BAN_REFUSAL_RATIO: '2' } });
  const key = await strict.key('enterprise', QUOTA);
  const responses: Response[] = [];
  for (let index = 0; index < 15; index += 1)
    responses.push(await strict.request('/v1/store/orders', { key }));
  const [last, before] = responses.reverse();
  expect(before?.headers.get('retry-after')).toBe('60');
  expect(last?.headers.get('retry-after')).toBe('30');
});

test('a ban and the counters survive a restart', async () => {
  const banned = await service.key('enterprise', QUOTA);
  const half = await service.key('enterprise', QUOTA);
  await codes(10, banned);
  await codes(3, half);
  const { dataDir, clock } = service;
  await service.stop();
  service = await startTestService({ dataDir, clock: createClock(clock() + 10_000) });
  await expectError(await list(banned), 'api_key_banned');
  expect(await codes(3, half)).toEqual(['ok', 'ok', 'rate_limit_exceeded']);
  expect(rateLimitIn((await service.request('/v1/store/orders')).headers).remaining).toBe(59);
});

test('a lifted ban stays lifted after a restart', async () => {
  const { id, key } = await service.keyWithId('enterprise', QUOTA);
  await codes(10, key);
  await service.store.keys.unban(id);
  const { dataDir, clock } = service;
  await service.stop();
  service = await startTestService({ dataDir, clock: createClock(clock() + MINUTE) });
  expect(await codes(1, key)).toEqual(['ok']);
});
