import { describeWith } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres, startRedis } from '@contract-kit/test-support/testing';
import { generateApiKey, startTestService } from '../library/service.ts';

describeWith(['PostgreSQL', 'Redis'], 'a flood of well-formed wrong keys', () => {
  const postgres = shared(() => startPostgres());
  const redis = shared(() => startRedis());

  test('fails no valid key, even one that is used for the first time from an address without quota', async () => {
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      TRUST_PROXY: '127.0.0.1',
    };
    const service = await startTestService({ env, dataDir: newFolder() });
    const ask = async (key: string, address: number) => {
      const headers = { 'x-forwarded-for': `203.0.113.${address}` };
      return (await service.request('/v1/none', { key, headers })).status;
    };
    const guess = (number: number) => ask(generateApiKey(), number % 8);
    const guesses = Array.from({ length: 8 * 70 }, (_, number) => guess(number));
    expect((await Promise.all(guesses)).filter((status) => status === 429).length).toBeGreaterThan(0);
    for (let times = 0; times < 5; times += 1) {
      const flood = Array.from({ length: 300 }, (_, number) => guess(number));
      const valid = [await service.unlimitedKey(), await service.unlimitedKey()];
      expect(await Promise.all(valid.map((key, number) => ask(key, number)))).toEqual([404, 404]);
      expect(new Set(await Promise.all(flood))).toEqual(new Set([429]));
      // Cached keys are looked up again.
      service.clock.advance(5_000);
      expect(await Promise.all(valid.map((key, number) => ask(key, number)))).toEqual([404, 404]);
    }
  });
});
