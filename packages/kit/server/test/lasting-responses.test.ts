import { describeWith } from '@contract-kit/test-support';
import { connectMcp, textOf } from '@contract-kit/test-support/mcp-client';
import { shared, startPostgres, until } from '@contract-kit/test-support/testing';
import { called } from './library/lasting.ts';
import { logLine, readingOf } from './library/streaming.ts';
import {
  begin,
  beginUpload,
  breakTable,
  change,
  newKey,
  revoke,
  revokeAndWait,
  severalLooks,
  startTestService,
  textOrCut,
  type Service,
} from './support/lasting.ts';

/* Responses that last end for those who may no longer have them. */

type Loss = readonly [
  what: string,
  lose: (service: Service, id: string) => Promise<unknown>,
  status: number,
  code: string,
];

/** What happens to a key, and what a response gets that has not begun. */
const losses: readonly Loss[] = [
  ['revoked', revoke, 401, 'unauthorized'],
  [
    'without its scope',
    (service, id) => change(service, id, { scopes: ['more'] }),
    403,
    'insufficient_scope',
  ],
  [
    'without a scope that its handler has seen',
    (service, id) => change(service, id, { scopes: ['read'] }),
    503,
    'service_unavailable',
  ],
  [
    'given to another owner',
    (service, id) => change(service, id, { owner: 'shop-2' }),
    503,
    'service_unavailable',
  ],
  ['put on another plan', (service, id) => change(service, id, { plan: 'pro' }), 503, 'service_unavailable'],
];

function describeLosses(kind: string, start: () => Promise<Service>): void {
  describe(`with ${kind}, all responses of a key end within 5 seconds if it is`, () => {
    const service = shared(start);

    test.each(losses)('%s', async (_, lose, status, code) => {
      const { id, key } = await newKey(service);
      const { key: other } = await newKey(service);
      const untouched = readingOf(await (await begin(service, '/events', other)).response);
      const streams = [];
      for (const target of ['/events', '/other-events', '/open-events'])
        streams.push(await begin(service, target, key));
      streams.push(await begin(service, '/posted-events', key, { method: 'POST' }));
      const downloads = [await begin(service, '/lines', key), await begin(service, '/file', key)];
      const begun = await Promise.all([...streams, ...downloads].map(({ response }) => textOrCut(response)));
      const waiting = await begin(service, '/wait', key);
      const upload = await beginUpload(service, key);
      const before = called.length;

      await lose(service, id);
      service.clock.advance(5_000);
      const texts = await Promise.all(begun.map(({ text }) => text));
      // No complete stream, or lines: clients of events come back.
      expect(texts.slice(0, 4)).toEqual(Array(4).fill(expect.stringMatching(/"n":2}\n\nretry: 1000\n\n$/)));
      expect(texts.slice(4)).toEqual(['cut', 'cut']);
      for (const stream of streams)
        expect(await logLine(service, stream.id)).toMatchObject({ status: 200, items: 2, keyId: id });
      for (const download of downloads)
        expect(await logLine(service, download.id)).toMatchObject({ status, code, keyId: id });
      const rejected = await waiting.response;
      expect([rejected.status, await rejected.json()]).toMatchObject([status, { code }]);
      await until(() => upload.received().includes(`"code":"${code}"`));
      expect(upload.received()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(called).toHaveLength(before);
      expect(await untouched('"n":2}\n\n')).not.toContain('retry');
      expect(service.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    });
  });
}

describeLosses('SQLite', () => startTestService());

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeLosses('PostgreSQL', async () =>
    startTestService({ env: { DATABASE_URL: await postgres.createDatabase() } }),
  );
});

const service = shared(() => startTestService());

test('a ban ends the responses of its key too, and a client that comes back gets its end', async () => {
  const { id, key } = await newKey(service, { perMinute: 3, perDay: 100 });
  const events = await begin(service, '/events', key);
  const lines = await begin(service, '/lines', key);
  const begun = await Promise.all([events, lines].map(({ response }) => textOrCut(response)));
  const statuses = [];
  for (let times = 0; times < 4; times += 1)
    statuses.push((await service.request('/v1/lines?unknown', { key })).status);
  expect(statuses).toEqual([400, 429, 429, 429]);
  service.clock.advance(5_000);
  expect(await begun[0]?.text).toMatch(/retry: 1000\n\n$/);
  expect(await begun[1]?.text).toBe('cut');
  expect(await logLine(service, lines.id)).toMatchObject({ status: 429, code: 'api_key_banned', keyId: id });
  const again = await service.request('/v1/events', { key });
  expect([again.status, again.headers.get('retry-after')]).toEqual([429, '895']);
});

describe('a download', () => {
  test('whose client leaves ends, and is no error', async () => {
    const { key } = await newKey(service);
    const { id, response } = await begin(service, '/file', key);
    const { body } = await response;
    await body?.cancel();
    expect(await logLine(service, id)).toMatchObject({ status: 499 });
    expect(service.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('that has no end is cut at the end of the grace period of a stop', async () => {
    const stopping = await startTestService({ env: { SHUTDOWN_GRACE_SECONDS: '1' } });
    const { key } = await newKey(stopping);
    const { id, response } = await begin(stopping, '/file', key);
    const { text } = await textOrCut(response);
    await stopping.stop();
    expect(await text).toBe('cut');
    expect(await logLine(stopping, id)).toMatchObject({ status: 499 });
    expect(stopping.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

test('a stop ends the streams of tools, whose results say so', async () => {
  const stopping = await startTestService();
  const { key } = await newKey(stopping);
  const { call } = await connectMcp(stopping.origin, key);
  const before = called.length;
  const result = call('events');
  await until(() => called.length > before);
  await severalLooks();
  await stopping.stop();
  expect(textOf(await result)).toContain('The stream broke off (events: the server ended the stream early)');
});

test('a key keeps its responses if it gets another name, another quota, or one scope more', async () => {
  const { id, key } = await newKey(service);
  const { id: request, response } = await begin(service, '/events', key);
  const begun = await response;
  await change(service, id, { name: 'till 2', quota: { perMinute: 1, perDay: 1 } });
  await change(service, id, { scopes: ['read', 'more', 'write'] });
  for (let times = 0; times < 2; times += 1) {
    service.clock.advance(5_000);
    await severalLooks();
  }
  expect(service.logged.filter(({ requestId }) => requestId === request)).toEqual([]);
  await begun.body?.cancel();
  expect(await logLine(service, request)).not.toHaveProperty('code');
});

describe('while keys cannot be looked up,', () => {
  test('responses continue for at most a minute, and then end with a retry or are cut', async () => {
    const away = await startTestService();
    const { key } = await newKey(away);
    const [events, lines] = [await begin(away, '/events', key), await begin(away, '/lines', key)];
    const begun = await Promise.all([events, lines].map(({ response }) => textOrCut(response)));
    const restore = breakTable(away.dataDir, 'api_keys');
    away.clock.advance(5_000);
    await severalLooks();
    away.clock.advance(50_000);
    await severalLooks();
    expect(away.messages('request')).toEqual([]);
    away.clock.advance(10_000);
    expect(await begun[0]?.text).toMatch(/retry: 1000\n\n$/);
    expect(await begun[1]?.text).toBe('cut');
    expect(await logLine(away, events.id)).toMatchObject({ status: 200, code: 'service_unavailable' });
    expect(await logLine(away, lines.id)).toMatchObject({ status: 503, code: 'service_unavailable' });
    restore();
    expect((await away.request('/v1/events', { key })).status).toBe(200);
  });

  test('and can be within the minute, only those end whose key was revoked', async () => {
    const away = await startTestService();
    const [kept, revoked] = [await newKey(away), await newKey(away)];
    const events = await begin(away, '/events', kept.key);
    const other = await textOrCut((await begin(away, '/events', revoked.key)).response);
    await events.response;
    const restore = breakTable(away.dataDir, 'api_keys');
    away.clock.advance(5_000);
    await severalLooks();
    restore();
    await revokeAndWait(away, revoked.id);
    expect(await other.text).toMatch(/retry: 1000\n\n$/);
    away.clock.advance(120_000);
    await severalLooks();
    expect(away.logged.filter(({ requestId }) => requestId === events.id)).toEqual([]);
  });
});
