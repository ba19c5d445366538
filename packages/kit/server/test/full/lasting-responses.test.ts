import { describeWith, freePort } from '@contract-kit/test-support';
import { shared, startPostgres, startRedis, startRelay, until } from '@contract-kit/test-support/testing';
import { createClock } from '../../src/testing/service.ts';
import { logLine } from '../library/streaming.ts';
import {
  begin,
  change,
  newKey,
  revoke,
  severalLooks,
  startTestService,
  textOrCut,
  type Service,
} from '../support/lasting.ts';

/* Responses that last, on two instances, while PostgreSQL and Redis fail and come back. */

const ENDED = /"n":2}\n\nretry: 1000\n\n$/;
const SECONDS = 1_000;

const isOpen = (service: Service, { id }: { readonly id: string }) =>
  !service.logged.some(({ requestId }) => requestId === id);

/** Begins events and lines. */
async function beginBoth(service: Service, key: string) {
  const [events, lines] = [await begin(service, '/events', key), await begin(service, '/lines', key)];
  const [{ text: ofEvents }, { text: ofLines }] = await Promise.all([
    textOrCut(events.response),
    textOrCut(lines.response),
  ]);
  return {
    areOpen: () => isOpen(service, events) && isOpen(service, lines),
    events,
    lines,
    ended: () => Promise.all([ofEvents, ofLines]),
  };
}

describeWith(['PostgreSQL', 'Redis'], 'on two instances', () => {
  const postgres = shared(startPostgres);
  const redis = shared(startRedis);
  const clock = createClock();
  let services: [Service, Service];
  beforeAll(async () => {
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      INSTANCES: '2',
    };
    services = [await startTestService({ env, clock }), await startTestService({ env, clock })];
  });

  test('a key that the other instance revokes or gives to another owner loses its responses on both', async () => {
    const [first, second] = services;
    for (const lose of [revoke, (of: Service, id: string) => change(of, id, { owner: 'shop-2' })]) {
      const { id, key } = await newKey(first);
      const both = await Promise.all(services.map((service) => beginBoth(service, key)));
      await lose(second, id);
      clock.advance(5 * SECONDS);
      for (const { ended } of both) expect(await ended()).toEqual([expect.stringMatching(ENDED), 'cut']);
    }
  });

  test('a ban by one instance ends the responses on the other', async () => {
    const [first, second] = services;
    const { key } = await newKey(first, { perMinute: 4, perDay: 100 });
    const { ended, lines } = await beginBoth(first, key);
    const last = async () => (await second.request('/v1/lines?unknown', { key })).json();
    await until(async () => ((await last()) as { code: string }).code === 'api_key_banned');
    clock.advance(5 * SECONDS);
    expect(await ended()).toEqual([expect.stringMatching(ENDED), 'cut']);
    expect(await logLine(first, lines.id)).toMatchObject({ status: 429, code: 'api_key_banned' });
  });

  test('without Redis no response ends, except those of a revoked key', async () => {
    const [first, second] = services;
    const [kept, lost] = [await newKey(first), await newKey(first)];
    const open = await beginBoth(first, kept.key);
    const { ended } = await beginBoth(first, lost.key);
    await redis.stop();
    clock.advance(5 * SECONDS);
    await until(() => first.messages('Redis does not respond').length > 0);
    await revoke(second, lost.id);
    clock.advance(5 * SECONDS);
    expect(await ended()).toEqual([expect.stringMatching(ENDED), 'cut']);
    clock.advance(120 * SECONDS);
    await severalLooks();
    expect(open.areOpen()).toBe(true);
    await redis.start();
  });
});

describeWith(['PostgreSQL'], 'behind a name for PostgreSQL', () => {
  const primary = shared(startPostgres);
  let relay: Awaited<ReturnType<typeof startRelay>>;
  let service: Service;
  let url: URL;

  beforeEach(async () => {
    relay = await startRelay(primary.port);
    url = new URL(await primary.createDatabase());
    url.port = String(relay.port);
    service = await startTestService({ env: { DATABASE_URL: url.href } });
  });

  test('an outage of two seconds ends no response, and a key that is revoked after it loses its own', async () => {
    const [kept, lost] = [await newKey(service), await newKey(service)];
    const open = await beginBoth(service, kept.key);
    const { ended } = await beginBoth(service, lost.key);
    relay.moveTo(await freePort());
    relay.cut();
    service.clock.advance(5 * SECONDS);
    await until(async () => (await service.request('/v1/lines?unknown', { key: kept.key })).status === 503);
    await severalLooks();
    relay.moveTo(primary.port);
    await until(async () => (await service.readiness())[0] === 200);
    await revoke(service, lost.id);
    service.clock.advance(5 * SECONDS);
    expect(await ended()).toEqual([expect.stringMatching(ENDED), 'cut']);
    service.clock.advance(120 * SECONDS);
    await severalLooks();
    expect(open.areOpen()).toBe(true);
  });

  test.each(['is away', 'accepts connections and stays silent'])(
    'if PostgreSQL %s, every response ends after a minute, and clients can come back later',
    async (how) => {
      const { key } = await newKey(service);
      const { ended, areOpen, events, lines } = await beginBoth(service, key);
      if (how === 'is away') {
        relay.moveTo(await freePort());
        relay.cut();
      } else relay.mute();
      service.clock.advance(5 * SECONDS);
      // Its key cannot be looked up, and the look-ups for what lasts have failed before.
      const response = service.request('/v1/lines?unknown', { key });
      expect((await response).status).toBe(503);
      await severalLooks();
      service.clock.advance(50 * SECONDS);
      await severalLooks();
      expect(areOpen()).toBe(true);
      service.clock.advance(10 * SECONDS);
      expect(await ended()).toEqual([expect.stringMatching(ENDED), 'cut']);
      expect(await logLine(service, events.id)).toMatchObject({ status: 200, code: 'service_unavailable' });
      expect(await logLine(service, lines.id)).toMatchObject({ status: 503, code: 'service_unavailable' });
      relay.unmute();
      relay.cut();
      relay.moveTo(primary.port);
      await until(async () => (await service.request('/v1/events', { key })).status === 200);
    },
  );

  test('after a failover by name, a key that the new primary revokes loses its responses, and is rejected', async () => {
    const { key } = await newKey(service);
    const { ended, areOpen } = await beginBoth(service, key);
    const standby = await startPostgres({ standbyOf: primary.port });
    await primary.run('ALTER SYSTEM SET default_transaction_read_only = on');
    await primary.run('SELECT pg_reload_conf()');
    await standby.run('SELECT pg_promote()');
    relay.moveTo(standby.port);
    service.clock.advance(5 * SECONDS);
    await severalLooks();
    expect(areOpen()).toBe(true);
    // By another instance: this one only reads, and its connections to the old primary stay.
    url.port = String(standby.port);
    await standby.run(`UPDATE api_keys SET revoked_at = '2026-11-21T12:00:00.000Z'`, url.href);
    service.clock.advance(5 * SECONDS);
    expect(await ended()).toEqual([expect.stringMatching(ENDED), 'cut']);
    expect((await service.request('/v1/lines?unknown', { key })).status).toBe(401);
  });
});
