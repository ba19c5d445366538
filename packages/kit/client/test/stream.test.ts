import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { CallOptions } from '../src/index.ts';
import { contract, streamLoans, type Loan } from './support/library.ts';
import { client, json, refuse, sendAll, server, startServer } from './support/served.ts';

async function collect(options?: CallOptions, library = client()): Promise<Loan[]> {
  const loans: Loan[] = [];
  for await (const loan of streamLoans(library, options)) loans.push(loan);
  return loans;
}

/** Up to a thousand bytes one by one, and more in a thousand pieces. */
const bytewise = (bytes: Uint8Array) => {
  const size = Math.ceil(bytes.length / 1000);
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
      controller.close();
    },
  });
  return client({ fetch: () => Promise.resolve(new Response(body)) });
};

/** Writes a list of loans at the speed of the reader. */
function writeLoans(response: ServerResponse, count: number): void {
  function* parts() {
    const loan = (id: number) => `{"id":${id},"bookId":12,"shipDate":"2026-11-24T09:00:00.000Z"}`;
    for (let first = 1; first <= count; first += 1000)
      yield (
        (first === 1 ? '[' : ',') + Array.from({ length: 1000 }, (_, index) => loan(first + index)).join()
      );
    yield ']';
  }
  Readable.from(parts()).pipe(response.writeHead(200));
}

test('yields each loan as soon as it has arrived', async () => {
  let rest = () => {};
  await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('[{"id":1,"complete":true},{"id"');
    rest = () => response.end(':2}]');
  });
  const loans = streamLoans(client());
  expect(await loans.next()).toEqual({ done: false, value: { id: 1, complete: true } });
  rest();
  expect(await loans.next()).toEqual({ done: false, value: { id: 2 } });
  expect(await loans.next()).toEqual({ done: true, value: undefined });
});

test('throws errors of the API, after the usual retries', async () => {
  await startServer((_request, response, count) =>
    count < 3 ? refuse(response, 503, 'service_unavailable') : refuse(response, 401, 'unauthorized'),
  );
  await expect(collect()).rejects.toMatchObject({ name: 'ApiError', code: 'unauthorized', attempts: 3 });
});

test.each([
  ...['{}', 'null', '"[]"', '{"a":{"id":1}}', '<h1>Welcome</h1>', '', '  ', '[{"id":1}', ']', '[{"id":1},]'],
  ...['[{"id":1}][{"id":2}]', '[{"id":1}] x', '[{"id":1}{"id":2}]', '[]\xe2', '[{"id":9007199254740993}]'],
  '['.repeat(100_000) + ']'.repeat(100_000),
])('throws an error for %.30j instead of a list', async (text) => {
  const name = text.includes('993') ? 'InexactIntegerError' : 'UnexpectedReplyError';
  const bytes = Buffer.from(text, 'latin1');
  await sendAll(bytes);
  await expect(collect()).rejects.toMatchObject({ name, status: 200 });
  await expect(collect({}, bytewise(bytes))).rejects.toMatchObject({ name, status: 200 });
});

test.each([
  [[{ id: 1, name: '"], [{\\' }, [['\u20ac', '\ud83d\ude00', '\\"']], -1.5, 'a, b', null, {}, []]],
  [[]],
])('reads complete items, even byte by byte: %j', async (items) => {
  for (const space of [0, 1])
    expect(await collect({}, bytewise(Buffer.from(JSON.stringify(items, null, space))))).toEqual(items);
});

test('throws an undeclared success with its text', async () => {
  await sendAll('<h1>Welcome</h1>', 203);
  const error = { name: 'UnexpectedReplyError', status: 203, body: '<h1>Welcome</h1>' };
  await expect(collect()).rejects.toMatchObject(error);
});

test('throws when the connection breaks, without a retry', async () => {
  await startServer((request, response) => {
    response.writeHead(200);
    response.write('[{"id":1},{"id":2},', () => setImmediate(() => request.socket.destroy()));
  });
  const seen: Loan[] = [];
  const reading = async () => {
    for await (const loan of streamLoans(client())) seen.push(loan);
  };
  await expect(reading()).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringMatching(/^listLoans: the response broke off: ./) as unknown,
    url: `${server.baseUrl}/loans`,
    attempts: 1,
  });
  expect(seen).toEqual([{ id: 1 }, { id: 2 }]);
  expect(server.requests).toHaveLength(1);
});

test.each(['', ' '])(
  'times out if nothing but %j arrives, by the timeout of the call or the client',
  async (text) => {
    await startServer((_request, response) => {
      response.writeHead(200).write('[{"id":1}');
      const drip = setInterval(() => response.write(text), 5);
      response.on('close', () => clearInterval(drip));
    });
    const error = { name: 'TimeoutError', code: 'timeout', message: 'listLoans: the list fell silent' };
    await expect(collect({ timeout: 100 })).rejects.toMatchObject(error);
    await expect(collect({}, client({ timeout: 100 }))).rejects.toMatchObject(error);
  },
);

test('closes the connection when the loop ends or the call is aborted, even without a reader', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  await startServer((_request, response) => {
    closed = once(response, 'close');
    writeLoans(response, 1_000_000);
  });
  for await (const order of streamLoans(client())) if (order.id === 3) break;
  await closed;

  const controller = new AbortController();
  const reason = new Error('enough');
  const loans = streamLoans(client(), { signal: controller.signal });
  await loans.next();
  controller.abort(reason);
  await closed;
  const reading = async () => {
    while (!(await loans.next()).done);
  };
  await expect(reading()).rejects.toBe(reason);
});

test('calls the method of a hand-written double', async () => {
  const loans = streamLoans({ listLoans: () => Promise.resolve([{ id: 1 }]) });
  expect((await loans.next()).value).toEqual({ id: 1 });
});

test('half a million loans take less than 50 MB of additional memory', async () => {
  await startServer((request, response) => {
    if (request.url?.includes('books')) return json(response, 200, { id: 1 });
    writeLoans(response, 500_000);
  });
  // V8 may keep 48 MB of short-lived objects.
  const limited = ['--expose-gc', '--max-semi-space-size=4'];
  const args = [
    ...limited,
    path.join(__dirname, 'support/read-loans.mjs'),
    JSON.stringify(contract),
    server.baseUrl,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { count, megabytes } = JSON.parse(stdout) as { count: number; megabytes: number };
  expect(count).toBe(500_000);
  expect(megabytes).toBeLessThan(50);
});
