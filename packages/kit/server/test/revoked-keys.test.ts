import { setTimeout as sleep } from 'node:timers/promises';
import { connectMcp, textOf } from '@contract-kit/test-support/mcp-client';
import { shared, until } from '@contract-kit/test-support/testing';
import type { HandlerContext } from '../src/index.ts';
import { called, released } from './library/lasting.ts';
import { forever, logLine, recorded, then } from './library/streaming.ts';
import {
  begin,
  long,
  newKey,
  requestOf,
  revokeAndWait,
  sendBytes,
  severalLooks,
  startTestService,
  textOrCut,
} from './support/lasting.ts';

/* What becomes of a response, wherever it is, when its key is revoked. */

const service = shared(() => startTestService());

describe('if its key is revoked,', () => {
  /** A service in which `/lines`, `/events`, `/file` and `/wait` have this handler, and a key. */
  async function startWith(handle: (input: unknown, context: HandlerContext) => unknown) {
    let calls = 0;
    const noting = (...given: Parameters<typeof handle>) => {
      calls += 1;
      return handle(...given);
    };
    const names = ['lines', 'events', 'file', 'wait'];
    const started = await startTestService({
      handlers: Object.fromEntries(names.map((name) => [name, noting])),
    });
    const { id, key } = await newKey(started);
    return { service: started, key, revoke: () => revokeAndWait(started, id), calls: () => calls };
  }

  test('a handler that changes something is not interrupted, and its client gets its response', async () => {
    const { id, key } = await newKey(service);
    const { response } = await begin(service, '/wait', key, { method: 'POST' });
    const other = await begin(service, '/wait', key);
    await revokeAndWait(service, id);
    expect((await other.response).status).toBe(401);
    released.dispatchEvent(new Event('go'));
    expect(await (await response).json()).toEqual({ done: true });
    expect((await service.request('/v1/wait', { key, method: 'POST' })).status).toBe(401);
  });

  test('a GET that ends within two seconds is not interrupted', async () => {
    const short = await startWith(async (_input, { signal }) => {
      await sleep(700);
      return { status: 200, body: { aborted: signal.aborted } };
    });
    const response = short.service.request('/v1/wait', { key: short.key });
    await until(() => short.calls() > 0);
    await short.revoke();
    expect(await (await response).json()).toEqual({ aborted: false });
  });

  test.each([
    ['a handler of a GET that ignores its signal', '/wait', () => ({ done: true }), 0],
    ['a download whose bytes come late', '/file', (items: object) => items, 1],
    ['events that come late', '/events', (items: object) => items, 1],
  ])('%s gets 401 instead of its response', async (_, target, bodyOf, returned) => {
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { record, iterable } = recorded([new Uint8Array(3)]);
    let signal: AbortSignal | undefined;
    const waiting = await startWith(async (_input, context) => {
      ({ signal } = context);
      await gate;
      return { status: 200, body: bodyOf(iterable) };
    });
    const response = waiting.service.request(`/v1${target}`, { key: waiting.key });
    await until(() => waiting.calls() > 0);
    await waiting.revoke();
    await until(() => signal?.aborted === true);
    go();
    expect((await response).status).toBe(401);
    expect(record.returned).toBe(returned);
  });

  test('events without an item yet end', async () => {
    const waiting = await startWith((_input, { signal }) => ({
      status: 200,
      body: then([], () => forever(signal)),
    }));
    const response = waiting.service.request('/v1/events', { key: waiting.key });
    await until(() => waiting.calls() > 0);
    await waiting.revoke();
    expect(await (await response).text()).toBe(':\n\nretry: 1000\n\n');
  });

  test.each([
    ['/lines', { n: 1 }],
    ['/events', { data: { n: 1 } }],
  ])('%s that are sent without a pause end', async (target, item) => {
    const { record, iterable } = recorded(endless(item));
    const busy = await startWith(() => ({ status: 200, body: iterable }));
    const { text } = await textOrCut(busy.service.request(`/v1${target}`, { key: busy.key }));
    await busy.revoke();
    expect(await text).toMatch(target === '/lines' ? /^cut$/ : /\n\nretry: 1000\n\n$/);
    await until(() => record.returned === 1);
  });

  test.each([
    ['lines', '/lines', () => recorded(endless({ long })).iterable],
    ['events', '/events', () => recorded(endless({ data: { long } })).iterable],
    ['a download', '/file', () => new Blob([new Uint8Array(30_000_000)])],
    ['a whole response', '/file', () => new Uint8Array(30_000_000)],
  ])('a reader of %s that takes nothing is cut', async (_, target, bodyOf) => {
    const stalled = await startWith(() => ({ status: 200, body: bodyOf() }));
    const { socket } = sendBytes(
      stalled.service,
      requestOf('GET', target, stalled.key, 'X-Request-Id: stalled\r\n'),
    );
    socket.pause();
    await until(() => stalled.calls() > 0);
    await severalLooks();
    await stalled.revoke();
    expect(await logLine(stalled.service, 'stalled')).toMatchObject({ status: 401, code: 'unauthorized' });
    socket.destroy();
  });

  test('requests that are pipelined behind a stream do not hide it', async () => {
    const { id, key } = await newKey(service);
    const { socket, received } = sendBytes(
      service,
      requestOf('GET', '/events', key) + requestOf('GET', '/lines?unknown', key),
    );
    await until(() => received().includes('"n":2}'));
    await revokeAndWait(service, id);
    await until(() => received().includes('HTTP/1.1 401 '));
    expect(received()).toContain('retry: 1000\n\n');
    socket.destroy();
  });

  test('a tool that calls a waiting GET says so, a stream of a tool breaks off, and a POST ends', async () => {
    const { id, key } = await newKey(service);
    const { call } = await connectMcp(service.origin, key);
    const before = called.length;
    const results = Promise.all([call('wait'), call('events'), call('file')]);
    const work = call('work');
    await until(() => called.length === before + 4);
    await severalLooks();
    await revokeAndWait(service, id);
    const [wait, events, file] = await results;
    expect(textOf(wait)).toMatch(/^wait: The API key is invalid.*Code: unauthorized\./s);
    expect(textOf(events)).toContain('The stream broke off (events: the server ended the stream early)');
    expect([file.isError, textOf(file)]).toEqual([true, expect.stringContaining('Code: connection_failed.')]);
    released.dispatchEvent(new Event('go'));
    expect(await work).toMatchObject({ structuredContent: { done: true } });
  });
});

function* endless(item: object) {
  for (;;) yield item;
}
