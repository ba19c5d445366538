import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { createFetch, InputError } from '../src/index.ts';
import { createPathClient } from '../src/openapi-fetch.ts';
import { clientOf, collect, cut, jsonl, rejection, serve, sse } from './support/streams.ts';

describe('JSON on lines', () => {
  const text = ' {"a":"€😀\\n"} \r\n\n[1,2]\n  \r\n"b"\nnull\n\t-1.5';
  const items = [{ a: '€😀\n' }, [1, 2], 'b', null, -1.5];

  test('arrive as values, even byte by byte, without empty lines, and with or without a last line end', async () => {
    for (const whole of [text, `${text}\n`, `\ufeff${text}\n\n`]) {
      const bytes = Buffer.from(whole);
      expect(await collect(clientOf([bytes], jsonl).list())).toEqual(items);
      expect(
        await collect(
          clientOf(
            [...bytes].map((byte) => Buffer.of(byte)),
            jsonl,
          ).list(),
        ),
      ).toEqual(items);
    }
    expect(await collect(clientOf([], jsonl).list())).toEqual([]);
  });

  test.each([
    ['that are not JSON', '{"a":1', 'UnexpectedReplyError', 'list: item 2 of the stream is not JSON'],
    ['that are HTML', '<h1>Busy</h1>\n', 'UnexpectedReplyError', 'list: item 2 of the stream is not JSON'],
    ['with two values', '1 2\n', 'UnexpectedReplyError', 'list: item 2 of the stream is not JSON'],
    ['that are not UTF-8', '\xff\n', 'UnexpectedReplyError', 'list: item 2 of the stream is not UTF-8'],
    [
      'that end in a character',
      '"\xe2\x82',
      'UnexpectedReplyError',
      'list: item 2 of the stream is not UTF-8',
    ],
    [
      'that are endless',
      '"' + 'a'.repeat(2 ** 24),
      'UnexpectedReplyError',
      'item 2 of the stream has more than',
    ],
    ['with an inexact integer', '9007199254740993\n', 'InexactIntegerError', 'an integer beyond 2^53'],
  ])('%s throw an error, after those before it', async (_name, rest, name, message) => {
    const items = await clientOf([Buffer.from('1\n'), Buffer.from(rest, 'latin1')], jsonl).list();
    expect(await items.next()).toEqual({ done: false, value: 1 });
    const error = (await rejection(items.next())) as Error;
    expect(error).toMatchObject({ name, status: 200, operation: 'list' });
    expect(error.message).toContain(message);
  });

  test('that break off throw an error, also if the last one could be complete', async () => {
    const { client } = await serve((response) => cut(response.writeHead(200, jsonl), '1\n2'));
    const items = await client().list();
    expect((await items.next()).value).toBe(1);
    await expect(items.next()).rejects.toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
  });
});

test('the call resolves at the head of the response, and each item is there when it has arrived', async () => {
  const sent: ((text: string) => void)[] = [];
  const { client } = await serve((response) => {
    response.writeHead(200, sse).flushHeaders();
    sent.push((text) => response.write(text));
  });
  const events = await client().watch();
  for (const id of ['1', '2']) {
    const next = events.next();
    sent[0]?.(`id: ${id}\ndata: 0\n\n`);
    expect(await next).toEqual({ done: false, value: { data: 0, id } });
  }
  await events.return();
});

test('reply() and result() have the items as their body, and the request is sent once', async () => {
  const { client, ids } = await serve((response) => response.writeHead(200, jsonl).end('1\n2\n'));
  const call = client().list();
  const { status, body } = await call.reply();
  expect([status, await collect(body), ids.length]).toEqual([200, [1, 2], 1]);
  expect(await call).toBe(body);
});

test('an error before the first item is that of any call, after the usual retries', async () => {
  const { client } = await serve((response, _request, count) => {
    const status = count < 3 ? 503 : 401;
    const body = { code: 'unauthorized', message: 'No key.', status };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const error = { name: 'ApiError', status: 401, code: 'unauthorized', attempts: 3 };
  await expect(client().watch()).rejects.toMatchObject(error);
});

test('a response of another type is unexpected', async () => {
  const { client } = await serve((response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('Hi'),
  );
  const error = { name: 'UnexpectedReplyError', status: 200, body: 'Hi' };
  await expect(client().watch()).rejects.toMatchObject(error);
});

test.each(['watch', 'list'] as const)('%s: leaving the loop closes the connection', async (operation) => {
  let closed: Promise<unknown> = Promise.resolve();
  const { client } = await serve((response) => {
    closed = once(response, 'close');
    const text = operation === 'list' ? '1\n2\n' : 'data: 1\n\ndata: 2\n\n';
    response.writeHead(200, operation === 'list' ? jsonl : sse).write(text);
  });
  for await (const item of await client()[operation]()) {
    expect(item).toBeTruthy();
    break;
  }
  await closed;
  // Before the first item, and while one is awaited.
  const unread = await client()[operation]();
  await unread.return();
  await closed;
  expect(await unread.next()).toEqual({ done: true, value: undefined });
  const read = await client()[operation]();
  await read.next();
  await read.next();
  const third = read.next();
  await read.return();
  await closed;
  expect(await third).toEqual({ done: true, value: undefined });
});

describe('a signal that aborts', () => {
  const reason = new Error('enough');

  test.each([0, 1, 2, 3])(
    'after %d items ends the loop with its reason, and closes the connection',
    async (count) => {
      let closed: Promise<unknown> = Promise.resolve();
      const { client } = await serve((response) => {
        closed = once(response, 'close');
        response.writeHead(200, sse).write('data: 1\n\ndata: 2\n\ndata: 3\n\n');
      });
      const controller = new AbortController();
      const events = await client().watch({}, { signal: controller.signal });
      for (let read = 0; read < count; read++) await events.next();
      const next = count === 3 ? rejection(events.next()) : undefined;
      controller.abort(reason);
      await closed;
      expect(await (next ?? rejection(events.next()))).toBe(reason);
      expect(await events.next()).toEqual({ done: true, value: undefined });
    },
  );

  test('ends a call whose response has not begun', async () => {
    const controller = new AbortController();
    const { client } = await serve(() => controller.abort(reason));
    expect(await rejection(client().watch({}, { signal: controller.signal }))).toBe(reason);
  });

  test('after the end of the stream changes nothing', async () => {
    const controller = new AbortController();
    const { client } = await serve((response) => response.writeHead(200, sse).end('data: 1\n\n'));
    const events = await client().watch({}, { signal: controller.signal });
    expect(await collect(events)).toEqual([{ data: 1 }]);
    controller.abort(reason);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});

test('timeout and budget are for the head: a stream may be silent for longer', async () => {
  const { client } = await serve((response) => {
    response.writeHead(200, sse).write('data: 1\n\n');
    setTimeout(() => response.end('data: 2\n\n'), 1200);
  });
  const limits = { timeout: 1000, budget: 1000 };
  const streams = [client().watch({}, limits), client().follow({}, limits)];
  expect(await Promise.all(streams.map(collect))).toEqual(streams.map(() => [{ data: 1 }, { data: 2 }]));
  const silent = await serve(() => {});
  const call = silent.client().watch({}, { timeout: 100, maxAttempts: 1 });
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError', attempts: 1 });
});

test('hooks see the request of a stream, and a stream that is being read does not hold up the queue', async () => {
  const { client } = await serve((response) => response.writeHead(200, sse).write('data: 1\n\n'));
  const seen: unknown[] = [];
  const library = client({
    onRequest: ({ operation, headers }) => void seen.push([operation, headers['accept']]),
    onResponse: ({ status, attempt }) => void seen.push([status, attempt]),
  });
  const streams = [await library.watch(), await library.watch()];
  for (const stream of streams) {
    expect((await stream.next()).value).toEqual({ data: 1 });
    await stream.return();
  }
  const accept = 'application/json,text/event-stream';
  expect(seen).toEqual([
    ['watch', accept],
    [200, 1],
    ['watch', accept],
    [200, 1],
  ]);
});

test('fetch, and the client of openapi-fetch, leave a stream as it is', async () => {
  const text = 'id: 1\ndata: 1\n\n';
  const { baseUrl, ids } = await serve((response) => response.writeHead(200, sse).write(text));
  const send = createFetch({ name: 'library', version: '1.0.0', servers: {} }, { apiKey: 'key_1', baseUrl });
  const { GET } = createPathClient<{ '/watch': { get: { responses: { 200: object } } } }>(send, InputError);
  const { data } = await GET('/watch', { parseAs: 'stream' });
  for (const body of [data, (await send('/watch')).body]) {
    const reader = body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? '').toString()).toBe(text);
    await reader?.cancel();
  }
  expect(ids).toHaveLength(2);
});

test('a slow loop reads no more than it takes', async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from(`${++pulled}\n`)),
  });
  const { client } = await serve(() => {});
  const fetch = () => Promise.resolve(new Response(body, { headers: jsonl }));
  const items = await client({ fetch }).list();
  for (let count = 1; count <= 3; count++) {
    expect((await items.next()).value).toBe(count);
    for (let turns = 0; turns < 20; turns++) await turn();
    // The stream itself keeps one piece.
    expect(pulled).toBeLessThanOrEqual(count + 1);
  }
  await items.return();
});
