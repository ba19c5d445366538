import type { ServerResponse } from 'node:http';
import type { RetryEvent, WaitEvent } from '../src/index.ts';
import { collect, cut, rejection, serve, sse } from './support/streams.ts';

/* A lost event stream of an operation that declares Last-Event-ID. The clock moves only by waiting. */

/** Events from one id to another. */
const eventsFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => `id: ${first + at}\ndata: ${first + at}\n\n`).join('');
const itemsUntil = (last: number) =>
  Array.from({ length: last }, (_, at) => ({ data: at + 1, id: String(at + 1) }));

const begin = (response: ServerResponse) => response.writeHead(200, sse);
const refuse = (response: ServerResponse, status: number, headers: object = {}) => {
  const body = JSON.stringify({ code: 'any', message: 'No.', status });
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
};

test('continues after the last event, with its id kept over every connection, until the stream is over', async () => {
  const { client, ids } = await serve((response, _request, count) => {
    // An event that is cut is sent again.
    if (count === 1) cut(begin(response), `${eventsFrom(1, 3)}id: 4\ndata: 4\n`);
    // Nothing has arrived, or only a comment.
    if (count === 2) response.socket?.destroy();
    if (count === 3) cut(begin(response));
    if (count === 4) cut(begin(response), eventsFrom(4, 5));
    if (count === 5) begin(response).end(eventsFrom(6, 7));
  });
  const library = client();
  expect(await collect(library.watch())).toEqual(itemsUntil(7));
  expect(ids).toEqual([undefined, '3', '3', '3', '5']);
});

test('sends the id that the call gives, and none once the server has reset it', async () => {
  const { client, ids } = await serve((response, _request, count) => {
    if (count === 1) cut(begin(response));
    if (count === 2) cut(begin(response), 'id: ü 8\n\n');
    if (count === 3) cut(begin(response), 'id:\n\n');
    if (count === 4) begin(response).end();
  });
  expect(await collect(client().watch({ 'Last-Event-ID': '7' }))).toEqual([]);
  expect(ids).toEqual(['7', '7', 'ü 8', undefined]);
});

test('keeps the id over events without one', async () => {
  const { client, ids } = await serve((response, _request, count) => {
    if (count === 1) cut(begin(response), 'id: 1\ndata: 1\n\ndata: 2\n\n');
    if (count === 2) cut(begin(response), 'data: 3\n\n');
    if (count === 3) begin(response).end();
  });
  expect(await collect(client().watch())).toEqual([{ data: 1, id: '1' }, { data: 2 }, { data: 3 }]);
  expect(ids).toEqual([undefined, '1', '1']);
});

test('an early end, which is a retry alone, is not the end of the stream', async () => {
  const { client, ids } = await serve((response, _request, count) =>
    begin(response).end(count === 1 ? `${eventsFrom(1, 2)}retry: 10\n\n` : 'id: 3\nretry: 20\ndata: 3\n\n'),
  );
  expect(await collect(client().watch())).toEqual([...itemsUntil(2), { data: 3, id: '3', retry: 20 }]);
  expect(ids).toEqual([undefined, '2']);
  const stopped = await serve((response) => begin(response).end(`${eventsFrom(1, 1)}retry: 10\n\n`));
  const events = await stopped.client().follow();
  await events.next();
  const error = { name: 'ConnectionError', message: 'follow: the server ended the stream early' };
  await expect(events.next()).rejects.toMatchObject(error);
});

test('a 204 ends the stream, declared or not', async () => {
  const { client } = await serve((response, _request, count) => {
    if (count === 1) cut(begin(response), eventsFrom(1, 2));
    else response.writeHead(204).end();
  });
  expect(await collect(client().watch())).toEqual(itemsUntil(2));
});

test('a QUERY is sent again with its body', async () => {
  const bodies: string[] = [];
  const { client, ids } = await serve(async (response, request, count) => {
    let body = `${request.method} `;
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    if (count === 1) cut(begin(response), eventsFrom(1, 1));
    else begin(response).end(eventsFrom(2, 2));
  });
  expect(await collect(client().query({ body: { a: 1 } }))).toEqual(itemsUntil(2));
  expect([bodies, ids]).toEqual([Array(2).fill('QUERY {"a":1}'), [undefined, '1']]);
});

test.each([
  ['ask', 'a POST', eventsFrom(1, 1)],
  ['follow', 'an operation without the header', eventsFrom(1, 1)],
  ['watch', 'events without ids', 'data: 1\n\n'],
] as const)('%s: %s is not resumed', async (operation, _why, text) => {
  const { client, ids } = await serve((response) => cut(begin(response), text));
  const events = await client()[operation]();
  expect((await events.next()).value).toMatchObject({ data: 1 });
  const error = { name: 'ConnectionError', code: 'connection_failed', attempts: 1, operation };
  await expect(events.next()).rejects.toMatchObject(error);
  expect(ids).toHaveLength(1);
});

describe('it waits', () => {
  test('3 s, or for the last retry, and longer after each failure in a row', async () => {
    const { client } = await serve((response, _request, count) => {
      if (count === 1) cut(begin(response), eventsFrom(1, 1));
      else if (count === 2) cut(begin(response), 'retry: 500\n\n');
      else if (count < 9) response.socket?.destroy();
      else begin(response).end();
    });
    const waits: Partial<WaitEvent>[] = [];
    const retries: Partial<RetryEvent>[] = [];
    const library = client({
      onWait: ({ operation, reason, delay }) => void waits.push({ operation, reason, delay }),
      onRetry: ({ status, delay }) => void retries.push({ status, delay }),
    });
    await collect(library.watch());
    const { sleeps } = library.clock;
    expect(sleeps).toHaveLength(8);
    for (const [attempt, delay] of sleeps.entries()) {
      const least = attempt === 0 ? 3000 : 500;
      // A comment that arrived begins the row again.
      const most = Math.min(8000, 250 * 2 ** Math.max(0, attempt - 1));
      expect(delay).toBeGreaterThanOrEqual(least);
      expect(delay).toBeLessThanOrEqual(least + most);
    }
    expect(waits).toEqual(sleeps.map((delay) => ({ operation: 'watch', reason: 'retry', delay })));
    expect(retries).toEqual(sleeps.map((delay) => ({ status: undefined, delay })));
  });

  test.each([
    [429, {}],
    [503, {}],
    [502, { 'content-type': 'text/html' }],
  ])('for the Retry-After of a %d, also of a proxy', async (status, headers) => {
    const { client, ids } = await serve((response, _request, count) => {
      if (count === 1) cut(begin(response), eventsFrom(1, 1));
      else if (count === 2) refuse(response, status, { 'retry-after': '20', ...headers });
      else begin(response).end(eventsFrom(2, 2));
    });
    const library = client();
    expect(await collect(library.watch())).toEqual(itemsUntil(2));
    expect(library.clock.sleeps.reduce((sum, delay) => sum + delay)).toBeGreaterThanOrEqual(23_000);
    expect(ids).toEqual([undefined, '1', '1']);
  });

  test('no longer than the budget while nothing arrives', async () => {
    const { client, ids } = await serve((response, _request, count) => {
      if (count === 1) cut(begin(response), eventsFrom(1, 1));
      else if (count % 2) response.socket?.destroy();
      // Only the head arrives.
      else begin(response).write('', () => setImmediate(() => response.socket?.destroy()));
    });
    const library = client({ budget: 60_000 });
    const events = await library.watch();
    await events.next();
    await expect(events.next()).rejects.toMatchObject({ name: 'ConnectionError', operation: 'watch' });
    expect(ids.length).toBeGreaterThan(5);
    expect(library.clock.sleeps.reduce((sum, delay) => sum + delay)).toBeLessThan(60_000);
    const late = await serve((response) => cut(begin(response), `retry: 90000\n${eventsFrom(1, 1)}`));
    const once = await late.client({ budget: 60_000 }).watch();
    await once.next();
    await expect(once.next()).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(late.ids).toHaveLength(1);
  });
});

test.each([401, 404, 500])('a %d is an error or passes, as for any call', async (status) => {
  const { client, ids } = await serve((response, _request, count) => {
    if (count === 1) cut(begin(response), eventsFrom(1, 1));
    else if (count === 2) refuse(response, status);
    else begin(response).end();
  });
  const events = await client().watch();
  await events.next();
  if (status === 500) expect(await events.next()).toMatchObject({ done: true });
  else expect(await rejection(events.next())).toMatchObject({ status, operation: 'watch' });
  expect(ids).toHaveLength(status === 500 ? 3 : 2);
});

test('a response of another type than the stream is unexpected', async () => {
  const { client } = await serve((response, _request, count) => {
    if (count === 1) cut(begin(response), eventsFrom(1, 1));
    else response.writeHead(200, { 'content-type': 'text/html' }).end('Hi');
  });
  const events = await client().watch();
  await events.next();
  await expect(events.next()).rejects.toMatchObject({ name: 'UnexpectedReplyError', body: 'Hi' });
});

test('the function of the key is called again after a 401', async () => {
  const { client } = await serve((response, request, count) => {
    if (count === 2) refuse(response, 401);
    else if (count === 1) cut(begin(response), eventsFrom(1, 1));
    else begin(response).end(`event: note\ndata: ${request.headers.authorization}\n\n`);
  });
  let keys = 0;
  const library = client({ apiKey: () => `key_${++keys}` });
  expect((await collect(library.watch())).at(-1)).toMatchObject({ data: 'Bearer key_2' });
});

test('a stream that falls silent for 45 s is lost, and comments are no silence', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  try {
    let comment = () => {};
    const { client, ids } = await serve((response, _request, count) => {
      if (count === 2) return begin(response).end(eventsFrom(2, 2));
      comment = () => void response.write(':\n\n');
      return begin(response).write(eventsFrom(1, 1));
    });
    const events = await client().watch();
    await events.next();
    const next = events.next();
    for (let count = 0; count < 3; count++) {
      await turns();
      jest.advanceTimersByTime(40_000);
      comment();
      await turns();
    }
    expect(ids).toHaveLength(1);
    jest.advanceTimersByTime(45_000);
    expect(await next).toEqual({ done: false, value: { data: 2, id: '2' } });
    expect(ids).toEqual([undefined, '1']);
  } finally {
    jest.useRealTimers();
  }
});

/** Long enough for what was sent to arrive. */
async function turns(): Promise<void> {
  for (let count = 0; count < 500; count++) await new Promise((resolve) => setImmediate(resolve));
}

describe('ends at once', () => {
  const reason = new Error('enough');

  test('if the signal aborts while it connects', async () => {
    const controller = new AbortController();
    const { client, ids } = await serve((response, _request, count) => {
      if (count === 1) cut(begin(response), eventsFrom(1, 1));
      // The head of this response never arrives.
      else controller.abort(reason);
    });
    const events = await client().watch({}, { signal: controller.signal });
    await events.next();
    expect(await rejection(events.next())).toBe(reason);
    expect(ids).toHaveLength(2);
  });

  test.each(['signal', 'return'])('by %s while it waits', async (means) => {
    const { client, ids } = await serve((response) => cut(begin(response), eventsFrom(1, 1)));
    const controller = new AbortController();
    let hasBegun = () => {};
    const waiting = new Promise<void>((resolve) => (hasBegun = resolve));
    const clock = { now: () => 0, sleep: () => new Promise<void>(() => {}) };
    const events = await client({ clock, onWait: hasBegun }).watch({}, { signal: controller.signal });
    await events.next();
    const next = events.next().catch((thrown: unknown) => thrown);
    await waiting;
    if (means === 'signal') controller.abort(reason);
    else await events.return();
    expect(await next).toEqual(means === 'signal' ? reason : { done: true, value: undefined });
    expect(ids).toHaveLength(1);
  });
});
