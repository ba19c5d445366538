import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import type { CallOptions, Order } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { json, refuse } from './server.ts';
import { after, client, sendAll, server, startServer } from './served.ts';

async function collect(options?: CallOptions, petstore = client()): Promise<Order[]> {
  const orders: Order[] = [];
  for await (const order of streamOrders(petstore, options)) orders.push(order);
  return orders;
}

const bytewise = (bytes: Uint8Array) => {
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  return client({ fetch: () => Promise.resolve(new Response(body)) });
};

/** Writes a list of orders no faster than it is read. */
async function writeOrders(response: ServerResponse, count: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (let first = 1; first <= count && !response.destroyed; first += 1000) {
    const ids = Array.from({ length: Math.min(1000, count + 1 - first) }, (_, index) => first + index);
    const orders = ids.map((id) =>
      JSON.stringify({ id, petId: 12, quantity: 1, shipDate: '2026-11-24T09:00:00.000Z', complete: false }),
    );
    if (!response.write((first === 1 ? '[' : ',') + orders.join())) {
      const next = new AbortController();
      await Promise.race([
        once(response, 'drain', { signal: next.signal }),
        once(response, 'close', { signal: next.signal }),
      ]).finally(() => next.abort());
    }
  }
  response.end(']');
}

test('the orders come one by one, each as soon as it has arrived', async () => {
  let rest = () => {};
  await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('[{"id":1,"complete":true},{"id"');
    rest = () => response.end(':2}]');
  });
  const orders = streamOrders(client());
  expect(await orders.next()).toEqual({ done: false, value: { id: 1, complete: true } });
  rest();
  expect(await orders.next()).toEqual({ done: false, value: { id: 2 } });
  expect(await orders.next()).toEqual({ done: true, value: undefined });
});

test.each(['[]', ' [ ] ', '\n[\n]\n'])('an empty list (%p) has no orders', async (text) => {
  await sendAll(text);
  expect(await collect()).toEqual([]);
});

test('what the API refuses is thrown, after the same retries as ever', async () => {
  await startServer((_request, response, count) =>
    count < 3 ? refuse(response, 503, 'service_unavailable') : refuse(response, 401, 'unauthorized'),
  );
  await expect(collect()).rejects.toMatchObject({ name: 'ApiError', code: 'unauthorized', attempts: 3 });
});

test.each<[string, string, string?]>([
  ['an object', '{}'],
  ['null', 'null'],
  ['a text', '"[]"'],
  ['an object with an order', '{"a":{"id":1}}'],
  ['HTML', '<h1>Welcome</h1>'],
  ['nothing', ''],
  ['only space', '  '],
  ['a list that ends too early', '[{"id":1}'],
  ['the end of a list', ']'],
  ['two lists', '[{"id":1}][{"id":2}]'],
  ['a list with text behind it', '[{"id":1}] x'],
  ['a list that another bracket ends', '[{"id":1}}'],
  ['a list that begins with a comma', '[,{"id":1}]'],
  ['a list that ends with a comma', '[{"id":1},]'],
  ['a list with two commas', '[{"id":1} ,,{"id":2}]'],
  ['a list without a comma', '[{"id":1}{"id":2}]'],
  ['a list with half a character', '[]\xe2'],
  ['a list after half a byte order mark', '\xef\xbb[]'],
  ['an integer that a number cannot hold', '[{"id":9007199254740993}]', 'InexactIntegerError'],
])('%s in place of the list is an error', async (_name, text, name = 'UnexpectedReplyError') => {
  const bytes = Buffer.from(text, 'latin1');
  await sendAll(bytes);
  const refusal = { name, status: 200 };
  await expect(collect()).rejects.toMatchObject(refusal);
  await expect(collect({}, bytewise(bytes))).rejects.toMatchObject(refusal);
});

test('the orders are whole, wherever the pieces in which they come are cut', async () => {
  const orders = [
    { id: 1, name: '"], [{\\' },
    [['\u20ac', '\ud83d\ude00', '\\"']],
    -1.5,
    'a, b',
    null,
    {},
    [],
  ];
  for (const space of [0, 1])
    expect(await collect({}, bytewise(Buffer.from(JSON.stringify(orders, null, space))))).toEqual(orders);
});

test('a success that the contract does not know is an error with its text, and its connection is closed', async () => {
  await startServer((_request, response) => {
    response.writeHead(203).end('<h1>Welcome</h1>');
  });
  await expect(collect()).rejects.toMatchObject({
    name: 'UnexpectedReplyError',
    status: 203,
    body: '<h1>Welcome</h1>',
  });
  let closed: Promise<unknown> = Promise.resolve();
  await startServer((_request, response) => {
    closed = once(response, 'close');
    response.writeHead(206).write('<h1>');
  });
  await expect(collect({ timeout: 50, maxAttempts: 1 })).rejects.toMatchObject({ name: 'TimeoutError' });
  await closed;
});

test('a list that is nested too deeply to be read is an UnexpectedReplyError', async () => {
  await sendAll(`[1234567890123456,${'['.repeat(100_000)}${']'.repeat(100_000)}]`);
  await expect(collect()).rejects.toMatchObject({ name: 'UnexpectedReplyError', status: 200 });
});

test('a connection that breaks within the list is thrown where it broke, and nothing is repeated', async () => {
  await startServer((request, response) => {
    response.writeHead(200);
    response.write('[{"id":1},{"id":2},', () => setImmediate(() => request.socket.destroy()));
  });
  const seen: Order[] = [];
  const reading = async () => {
    for await (const order of streamOrders(client())) seen.push(order);
  };
  await expect(reading()).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringMatching(/^listOrders: the list broke off: ./) as unknown,
    url: `${server.baseUrl}/store/orders`,
    attempts: 1,
  });
  expect(seen).toEqual([{ id: 1 }, { id: 2 }]);
  expect(server.requests).toHaveLength(1);
});

test('a list that falls silent is thrown in time', async () => {
  await startServer((_request, response) => {
    response.writeHead(200);
    response.write('[{"id":1},');
  });
  await expect(collect({ timeout: 50 })).rejects.toMatchObject({ name: 'TimeoutError', code: 'timeout' });
  await expect(collect({}, client({ timeout: 50 }))).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a list is silent, too, while nothing but spaces arrive', async () => {
  await startServer((_request, response) => {
    response.writeHead(200).write('[{"id":1}');
    let left = 200;
    const drip = setInterval(() => (--left ? response.write(' ') : response.end(']')), 5);
    response.on('close', () => clearInterval(drip));
  });
  await expect(collect({ timeout: 500 })).rejects.toMatchObject({
    message: 'listOrders: the list fell silent',
  });
});

test('to leave the loop closes the connection', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  await startServer((_request, response) => {
    closed = once(response, 'close');
    void writeOrders(response, 1_000_000);
  });
  for await (const order of streamOrders(client())) if (order.id === 3) break;
  await closed;
});

test('to abort closes the connection, even while nobody reads, and is thrown as its reason', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  await startServer((_request, response) => {
    closed = once(response, 'close');
    void writeOrders(response, 1_000_000);
  });
  const controller = new AbortController();
  const reason = new Error('enough');
  const orders = streamOrders(client(), { signal: controller.signal });
  await orders.next();
  controller.abort(reason);
  await closed;
  const reading = async () => {
    while (!(await orders.next()).done);
  };
  await expect(reading()).rejects.toBe(reason);
});

test('a plain double is asked for its list', async () => {
  await startServer(after());
  const orders: Order[] = [];
  for await (const order of streamOrders({ listOrders: () => Promise.resolve([{ id: 1 }]) }))
    orders.push(order);
  expect(orders).toEqual([{ id: 1 }]);
});

test('half a million orders take less than 50 MB of additional memory', async () => {
  await startServer((request, response) => {
    if (request.url?.includes('pets')) return json(response, 200, { id: 1 });
    void writeOrders(response, 500_000);
  });
  const child = spawn(
    process.execPath,
    ['--expose-gc', path.join(__dirname, 'read-orders.mjs'), server.baseUrl],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [output] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const { count, megabytes } = JSON.parse(output) as { count: number; megabytes: number };
  expect(count).toBe(500_000);
  expect(megabytes).toBeLessThan(50);
});
