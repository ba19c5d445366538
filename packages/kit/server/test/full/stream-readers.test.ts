import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { newFolder, shared, until } from '@contract-kit/test-support/testing';
import { connectRaw } from '../../src/testing/raw.ts';
import type { TestServiceOptions } from '../../src/testing/service.ts';
import { command, startTestService as startLibrary } from '../library/service.ts';
import {
  forever,
  handlersOf,
  logLine,
  readingOf,
  recorded,
  streaming,
  then,
  type Returned,
} from '../library/streaming.ts';

/* Streams of items: back-pressure, limits, and how they end. */

/** What the next handler returns as its body. */
let body: Returned;
const handlers = handlersOf(() => body);
const startTestService = (options: TestServiceOptions = {}) =>
  streaming.startTestService({ handlers, ...options });

/** The bytes of the last response that the system has not taken. */
let unsent: () => number;
const watching: RequestHandler = (_req, res, next) => {
  unsent = () => res.writableLength;
  next();
};
const service = shared(() => startTestService({ middleware: [watching] }));

let key: string;
beforeAll(async () => (key = await service.unlimitedKey()));

const get = (target: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  service.request(`/v1${target}`, { key, headers, ...init });

/** A reader that takes no more of an endless stream of long items. */
async function stalledReader(long: string) {
  function* endless() {
    for (let n = 1; ; n += 1) yield { n, long };
  }
  const { record, iterable } = recorded(endless());
  body = () => iterable;
  const socket = connectRaw(service.origin);
  socket.write(
    `GET /v1/counts HTTP/1.1\r\nHost: x\r\nAccept: application/jsonl\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  await once(socket, 'readable');
  let before = -1;
  await until(async () => {
    const isStill = record.asked === before;
    before = record.asked;
    await sleep(200);
    return isStill && record.asked === before;
  });
  return { record, socket };
}

describe('a reader', () => {
  test('that stalls holds one item', async () => {
    const long = 'x'.repeat(1_000_000);
    const { record, socket } = await stalledReader(long);
    // All items but the last one are in the buffers of the system.
    expect(unsent()).toBeGreaterThan(0);
    expect(unsent()).toBeLessThan(1.1 * long.length);
    const { asked } = record;
    socket.resume();
    await until(() => record.asked > asked);
    socket.destroy();
    await until(() => record.returned === 1);
  });

  test('that stalls and leaves is given no further item, which would be lost', async () => {
    const { record, socket } = await stalledReader('x'.repeat(1_000_000));
    const { asked } = record;
    socket.destroy();
    await until(() => record.returned === 1);
    expect(record.asked).toBe(asked);
  });

  test('that leaves ends the iterable, and aborts its signal', async () => {
    let isAborted = false;
    let isClosed = false;
    async function* watched(signal: AbortSignal) {
      try {
        yield { data: { n: 1 } };
        await forever(signal);
      } finally {
        isAborted = signal.aborted;
        isClosed = true;
      }
    }
    body = (_input, { signal }) => watched(signal);
    const leaving = new AbortController();
    const response = await get('/events', { 'x-request-id': 'leaver' }, { signal: leaving.signal });
    await readingOf(response)('\n\n');
    leaving.abort();
    await until(() => isClosed);
    expect(isAborted).toBe(true);
    // That is how a stream without an end ends.
    expect(await logLine(service, 'leaver')).toMatchObject({ status: 200, items: 1 });
    const { record, iterable } = recorded({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
    });
    body = () => iterable;
    const again = new AbortController();
    await get('/events', {}, { signal: again.signal });
    again.abort();
    await until(() => record.returned === 1);
    expect(service.logged).not.toContainEqual(expect.objectContaining({ level: 50, requestId: 'leaver' }));
  });
});

describe('limits', () => {
  test('a stream counts once, and its latency is that of its head', async () => {
    const { key: own } = await service.keyWithId('enterprise', { perMinute: 2, perDay: 100 });
    body = (_input, { signal }) => then([{ data: { n: 1 } }, { data: { n: 2 } }], () => forever(signal));
    const responses = [0, 1, 2].map(() => service.request('/v1/events', { key: own }));
    const all = await Promise.all(responses);
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    const metrics = await (await service.request('/metrics')).text();
    expect(metrics).toMatch(/^library_open_streams [2-9]/m);
    for (const response of all) await response.body?.cancel();
    await until(async () =>
      /^library_open_streams 0/m.test(await (await service.request('/metrics')).text()),
    );
  });

  test('one key may have 250 streams, and another one still gets its own', async () => {
    const other = await service.unlimitedKey();
    body = (_input, { signal }) => then([{ data: { n: 1 } }], () => forever(signal));
    const { record, iterable } = recorded([{ data: { n: 1 } }]);
    const leaving = new AbortController();
    const { signal } = leaving;
    const open = await Promise.all(Array.from({ length: 250 }, () => get('/events', {}, { signal })));
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    body = () => iterable;
    const refused = await get('/events');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ code: 'service_unavailable' });
    expect(record).toEqual({ asked: 0, returned: 1 });
    expect((await service.request('/v1/events', { key: other })).status).toBe(200);
    leaving.abort();
    await until(async () => (await get('/events')).status === 200);
  });

  test('all streams together leave half of the connections to others', async () => {
    const small = await startTestService({ env: { MAX_CONNECTIONS: '8' } });
    body = (_input, { signal }) => then([{ data: { n: 1 } }], () => forever(signal));
    const statuses: number[] = [];
    for (let times = 0; times < 5; times += 1)
      statuses.push((await small.request('/v1/events', { key: await small.unlimitedKey() })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 503]);
  });
});

describe('a stop', () => {
  test.each(['waits for its signal', 'never ends'])(
    'ends events of an iterable that %s, and the iterable',
    async (how) => {
      const stopping = await startTestService();
      let isClosed = false;
      async function* events(signal: AbortSignal) {
        try {
          yield { data: { n: 1 } };
          await (how === 'never ends' ? new Promise(() => undefined) : forever(signal));
        } finally {
          isClosed = true;
        }
      }
      body = (_input, { signal }) => events(signal);
      const response = await stopping.request('/v1/events', { key: await stopping.unlimitedKey() });
      const text = response.text();
      await stopping.stop();
      // A retry alone: it is not complete, and clients come back.
      expect(await text).toBe('data: {"n":1}\n\nretry: 1000\n\n');
      expect(isClosed).toBe(how !== 'never ends');
      expect(stopping.logged.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    },
  );

  test('closes an iterable once', async () => {
    const stopping = await startTestService();
    let record: ReturnType<typeof recorded>['record'] | undefined;
    body = (_input, { signal }) => {
      const watched = recorded(then([{ data: { n: 1 } }], () => forever(signal)));
      record = watched.record;
      return watched.iterable;
    };
    const response = await stopping.request('/v1/events', { key: await stopping.unlimitedKey() });
    const text = response.text();
    await stopping.stop();
    await text;
    expect(record).toMatchObject({ returned: 1 });
  });

  test('lets lines end, and cuts interrupted ones, which must not look complete', async () => {
    const stopping = await startTestService();
    const own = await stopping.unlimitedKey();
    const ask = () => stopping.request('/v1/counts', { key: own, headers: { accept: 'application/jsonl' } });
    async function* lines(signal: AbortSignal, isPatient: boolean) {
      yield { n: 1 };
      await forever(signal).catch((error: unknown) => {
        if (!isPatient) throw error;
      });
      yield { n: 2 };
    }
    body = (_input, { signal }) => lines(signal, true);
    const whole = (await ask()).text();
    body = (_input, { signal }) => lines(signal, false);
    const cut = (await ask()).text();
    const outcome = expect(cut).rejects.toThrow();
    await stopping.stop();
    expect(await whole).toBe('{"n":1}\n{"n":2}\n');
    await outcome;
    expect(stopping.logged.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});

test('after kill -9 and a restart, a reader continues after the last event that it has', async () => {
  const dataDir = newFolder();
  const before = await startLibrary({ dataDir });
  const suiteKey = await before.unlimitedKey();
  await before.stop();
  let server = await command.serve({ dataDir });
  const port = new URL(server.origin).port;
  const headers = { authorization: `Bearer ${suiteKey}` };
  const lend = (bookId: number) =>
    fetch(`${server.origin}/v1/loans`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ bookId }),
    });
  const watch = async (last: string) =>
    readingOf(
      await fetch(`${server.origin}/v1/loans/events`, { headers: { ...headers, 'last-event-id': last } }),
    );
  const idsIn = (text: string) => Array.from(text.matchAll(/^id: (\d+)$/gm), ([, id]) => id);

  for (const book of [1, 2]) await lend(book);
  const read = await watch('0');
  const seen = idsIn(await read('id: 2\n'));
  const rest = read('id: 3\n').then(
    () => 'more',
    () => 'cut',
  );
  await server.kill('SIGKILL');
  expect(await rest).toBe('cut');
  server = await command.serve({ dataDir }, ['--port', port]);
  await lend(3);
  const again = await watch(seen.at(-1) ?? '');
  await lend(4);
  expect([...seen, ...idsIn(await again('id: 4\n'))]).toEqual(['1', '2', '3', '4']);
});
