import compression from 'compression';
import type { HandlerContext } from '../src/index.ts';
import { shared } from '@contract-kit/test-support/testing';
import {
  forever,
  handlersOf,
  listOf,
  logLine,
  readingOf,
  recorded,
  streaming,
  then,
  type Returned,
} from './library/streaming.ts';

/* Streams of items: what goes over the wire. */

/** What the next handler returns as its body. */
let body: Returned;
const handlers = handlersOf(() => body);
const service = shared(() => streaming.startTestService({ handlers }));

let key: string;
beforeAll(async () => (key = await service.unlimitedKey()));

const get = (target: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  service.request(`/v1${target}`, { key, headers, ...init });

describe('over the wire', () => {
  test.each([
    [{ data: { n: 1 } }, 'data: {"n":1}\n\n'],
    [{ data: { n: 2 ** 53 - 1 } }, 'data: {"n":9007199254740991}\n\n'],
    [
      { event: 'count', id: '7', retry: 250, data: { n: 1, long: 'a\nb\u2028' } },
      'event: count\nid: 7\nretry: 250\ndata: {"n":1,"long":"a\\nb\u2028"}\n\n',
    ],
    [{ event: 'text', data: 'one line' }, 'event: text\ndata: one line\n\n'],
    [{ event: 'text', data: ' é: 1\r\n\r2\n' }, 'event: text\ndata:  é: 1\ndata: \ndata: 2\ndata: \n\n'],
    [{ event: 'text', data: '' }, 'event: text\ndata: \n\n'],
    [{ event: 'text', id: '', data: 'a' }, 'event: text\nid: \ndata: a\n\n'],
  ])('an event is written as WHATWG HTML §9.2.5 has it: %j', async (event, text) => {
    body = () => listOf(event, event);
    const response = await get('/events');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('content-length')).toBeNull();
    expect(await response.text()).toBe(text + text);
  });

  test('a schema of OpenAPI 3.1 is that of the data, and a text stays a text', async () => {
    body = () => listOf({ data: { n: 1 } });
    expect(await (await get('/old')).text()).toBe('data: {"n":1}\n\n');
    body = () => listOf({ data: '{"n":\n1}' });
    expect(await (await get('/chunks', {}, { method: 'POST' })).text()).toBe('data: {"n":\ndata: 1}\n\n');
  });

  test.each(['application/jsonl', 'application/x-ndjson'])('%s has a value on each line', async (type) => {
    body = () => listOf({ n: 1, long: 'a\nb' }, { n: 2 });
    const response = await get('/counts', { accept: type });
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(await response.text()).toBe('{"n":1,"long":"a\\nb"}\n{"n":2}\n');
  });

  test('what is no iterable is sent whole, whatever the client accepts', async () => {
    body = () => [{ n: 1 }];
    const response = await get('/counts', { accept: 'application/jsonl' });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual([{ n: 1 }]);
  });

  test.each([
    ['a list', [{ data: { n: 1 } }]],
    ['an iterable that is not asynchronous', new Set([{ data: { n: 1 } }])],
    ['an event', { data: { n: 1 } }],
    ['a text', 'data: {"n":1}\n\n'],
    ['a generator function', () => listOf({ data: { n: 1 } })],
  ])('%s is no stream, and gets 500 instead of a Content-Type that it does not have', async (_, returned) => {
    body = () => returned;
    const response = await get('/events');
    expect([response.status, await response.json()]).toMatchObject([500, { code: 'internal_error' }]);
  });

  test('a stream without items is empty', async () => {
    body = () => listOf();
    expect(await (await get('/events')).text()).toBe('');
  });

  test('an item is sent when it is there, also through compression', async () => {
    const packed = await streaming.startTestService({
      middleware: [compression({ threshold: 0 })],
      handlers: {
        events: (_input: unknown, { signal }: HandlerContext) => ({
          status: 200,
          body: then([{ data: { n: 1 } }], () => forever(signal)),
        }),
        counts: () => ({ status: 200, body: listOf({ n: 1 }, { n: 2 }) }),
      },
    });
    const own = await packed.unlimitedKey();
    const response = await packed.request('/v1/events', { key: own, headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await readingOf(response)('\n\n')).toBe('data: {"n":1}\n\n');
    await response.body?.cancel().catch(() => undefined);
  });
});

describe('the head', () => {
  test('an error before the first item is that of any request', async () => {
    body = () => then([], () => Promise.reject(new Error('lost')));
    const response = await get('/events');
    expect([response.status, await response.json()]).toMatchObject([500, { code: 'internal_error' }]);
  });

  test('an iterator without a result is no end', async () => {
    body = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve() }) });
    expect((await get('/events')).status).toBe(500);
  });

  test('does not wait for a slow first item: a comment follows it', async () => {
    let go: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (go = resolve));
    async function* slow() {
      await waiting;
      yield { data: { n: 1 } };
    }
    body = slow;
    const response = await get('/events');
    expect(response.status).toBe(200);
    const read = readingOf(response);
    expect(await read('\n\n')).toBe(':\n\n');
    go();
    expect(await read('1}\n\n')).toBe(':\n\ndata: {"n":1}\n\n');
    async function* lines() {
      await new Promise((resolve) => (go = resolve as () => void));
      yield { n: 1 };
    }
    body = lines;
    const other = await get('/counts', { accept: 'application/jsonl' });
    go();
    expect(await other.text()).toBe('{"n":1}\n');
  });

  test('HEAD gets the head, and the iterable is closed', async () => {
    const { record, iterable } = recorded([{ data: { n: 1 } }]);
    body = () => iterable;
    const response = await get('/events', {}, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(await response.text()).toBe('');
    expect(record).toEqual({ asked: 0, returned: 1 });
  });

  test('Last-Event-ID reaches the handler', async () => {
    body = ({ headers }) => listOf({ event: 'text', data: String(headers['Last-Event-ID']) });
    const response = await get('/events', { 'last-event-id': '41' });
    expect(await response.text()).toContain('data: 41\n');
    // In UTF-8, as browsers send it.
    const bytes = Buffer.from('é 1').toString('latin1');
    expect(await (await get('/events', { 'last-event-id': bytes })).text()).toContain('data: é 1\n');
  });
});

describe('an item that cannot be sent', () => {
  test.each([
    ['it violates the contract', { data: { n: 'one' } }, '/events'],
    ['it has an undeclared field', { data: { n: 1, m: 1 } }, '/events'],
    ['its id has U+0000', { event: 'text', data: '', id: 'a\0' }, '/events'],
    ['its id has two lines', { event: 'text', data: '', id: 'a\nb' }, '/events'],
    ['its event has two lines', { event: 'a\rdata: b', data: { n: 1 } }, '/events'],
    ['its retry is no number of milliseconds', { event: 'text', data: '', retry: 0.5 }, '/events'],
    ['it is no event', null, '/events'],
    ['it is no JSON', undefined, '/counts'],
  ])('is a 500 as the first one, and cuts the stream later: %s', async (_why, item, target) => {
    const good = target === '/events' ? { data: { n: 1 } } : { n: 1 };
    const first = recorded([item]);
    body = () => first.iterable;
    const headers = { accept: 'application/jsonl' };
    expect((await get(target, headers)).status).toBe(500);
    expect(first.record).toEqual({ asked: 1, returned: 1 });
    const later = recorded([good, item]);
    body = () => later.iterable;
    const id = `later-${Math.random()}`;
    const response = await get(target, { ...headers, 'x-request-id': id });
    await expect(response.text()).rejects.toThrow();
    expect(later.record).toEqual({ asked: 2, returned: 1 });
    expect(await logLine(service, id)).toMatchObject({ status: 500, code: 'internal_error', items: 1 });
    expect(service.logged).toContainEqual(expect.objectContaining({ level: 50, requestId: id }));
  });

  test('an iterable that throws later is cut and logged', async () => {
    body = () => then([{ data: { n: 1 } }], () => Promise.reject(new Error('lost later')));
    const response = await get('/events', { 'x-request-id': 'thrower' });
    await expect(response.text()).rejects.toThrow();
    expect(await logLine(service, 'thrower')).toMatchObject({ status: 500, items: 1 });
    expect(service.logged).toContainEqual(expect.objectContaining({ level: 50, requestId: 'thrower' }));
  });
});

test('a repeat of a request with an Idempotency-Key gets 409: a stream is not kept', async () => {
  body = () => listOf({ data: 'a' });
  const post = () => get('/chunks', { 'idempotency-key': 'k1' }, { method: 'POST' });
  expect(await (await post()).text()).toBe('data: a\n\n');
  expect((await post()).status).toBe(409);
});
