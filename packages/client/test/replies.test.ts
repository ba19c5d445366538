import { createServer } from 'node:net';
import { ApiError, InexactIntegerError, UnexpectedReplyError } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { json, listen, serve } from './server.ts';
import { answerAll, client, refuseAll, sendAll, server, startServer } from './served.ts';

test('the full reply has the status, the headers, the body, the quota, the attempts and the request id', async () => {
  await startServer((request, response) => {
    expect(request.headers.authorization).toBe('Bearer pst_test');
    json(response, 200, [], { 'x-ratelimit-reset': 1795251660, 'x-other': 'one' });
  });
  const reply = await client().listOrders().reply();
  expect(reply).toMatchObject({
    declared: true,
    status: 200,
    headers: {
      'X-RateLimit-Limit': 60,
      'X-RateLimit-Remaining': 59,
      'X-RateLimit-Reset': 1795251660,
      'X-Request-Id': 'request-1',
    },
    body: [],
    rateLimit: { limit: 60, remaining: 59, reset: 1795251660 },
    attempts: 1,
    requestId: 'request-1',
  });
  expect(reply.rawHeaders.get('x-other')).toBe('one');
});

test('a header that reading would round, or that is no number, is in the raw headers alone', async () => {
  await answerAll([], { 'x-ratelimit-reset': '9007199254740993', 'x-ratelimit-limit': 'many' });
  const reply = await client().listOrders().reply();
  expect(reply).toHaveProperty('headers', { 'X-RateLimit-Remaining': 59, 'X-Request-Id': 'request-1' });
  expect(reply.rawHeaders.get('x-ratelimit-reset')).toBe('9007199254740993');
});

test.each([
  ['HTML with status 200', 200, '<h1>Welcome</h1>'],
  ['HTML with status 502', 502, '<h1>Bad Gateway</h1>'],
  ['truncated JSON', 200, '[{"id":1},'],
  ['an empty 200', 200, ''],
  ['an empty 500', 500, ''],
  ['an object in place of the list', 200, '{}'],
  ['null in place of the list', 200, 'null'],
  ['an undeclared status', 202, '[]'],
  ['an Error object with a status of success', 203, '{"code":"pay","message":"Pay.","status":203}'],
  ['an Error object of another status', 401, '{"code":"unauthorized","message":"No.","status":403}'],
  ['an error without a code', 401, '{"message":"No."}'],
])('%s is undeclared, never a success and never a SyntaxError', async (_name, status, text) => {
  await sendAll(text, status);
  const call = client().listOrders();
  const reply = await call.reply();
  expect(reply).toMatchObject({ declared: false, status });
  await expect(call).rejects.toMatchObject({ status });
  await expect(call).rejects.toBeInstanceOf(UnexpectedReplyError);
});

test('null in place of an object is undeclared', async () => {
  await sendAll('null');
  await expect(client().getPet({ petId: 1 })).rejects.toBeInstanceOf(UnexpectedReplyError);
});

test('a 429 without a word is still a RateLimitError', async () => {
  await startServer((_request, response) => response.writeHead(429, { 'retry-after': '100' }).end());
  await expect(client().listOrders()).rejects.toMatchObject({
    name: 'RateLimitError',
    code: 'rate_limit_exceeded',
    retryAfter: 100,
  });
});

test.each([
  [true, 409, 'order_already_shipped'],
  [true, 409, 'order_frozen'],
  [false, 402, 'payment_required'],
])(
  'a refusal, declared (%s) or newer than the client, is thrown with its code, and given as a reply',
  async (declared, status, code) => {
    await refuseAll(status, code);
    const call = client().cancelOrder({ orderId: 2 });
    const known = { status, requestId: 'request-1', attempts: 1 };
    expect(await call.reply()).toMatchObject({ declared, body: { code }, ...known });
    await expect(call).rejects.toBeInstanceOf(ApiError);
    await expect(call).rejects.toMatchObject({ code, message: `It is ${code}.`, ...known });
    expect(server.requests).toEqual(['DELETE /v1/store/orders/2']);
  },
);

test('a 204 with a body is a success, or no answer at all, but never data', async () => {
  const raw = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello'));
  });
  const baseUrl = `http://${await listen(raw)}/v1`;
  const result = await client({ baseUrl })
    .cancelOrder({ orderId: 1 })
    .catch((error: Error) => error.name);
  expect([undefined, 'ConnectionError']).toContain(result);
  await new Promise((closed) => raw.close(closed));
});

test('a redirect is an error, and the other origin hears nothing', async () => {
  const other = await serve((_request, response) => json(response, 200, []));
  await startServer((_request, response) =>
    response.writeHead(302, { location: `${other.baseUrl}/store/orders` }).end(),
  );
  await expect(client().listOrders()).rejects.toMatchObject({
    name: 'UnexpectedReplyError',
    message: expect.stringContaining(`a redirect to ${other.baseUrl}`) as unknown,
    status: 302,
    attempts: 1,
  });
  expect(other.requests).toEqual([]);
  await other.close();
});

test('a redirect that a browser hides is told of as one', async () => {
  const fetch = () => Promise.resolve(Response.error());
  await expect(client({ fetch }).listOrders()).rejects.toThrow('a redirect to elsewhere');
});

test.each(['9007199254740993', '-9007199254740993', '1e400', '123456789012345678901234567890'])(
  'the integer %s in an answer is an error, never a rounded number',
  async (integer) => {
    await sendAll(`[{"id":1},{"id":${integer}}]`);
    const call = client().listOrders();
    await expect(call.reply()).rejects.toBeInstanceOf(InexactIntegerError);
    await expect(call).rejects.toMatchObject({ code: 'inexact_integer', status: 200, attempts: 1 });
    expect(server.requests).toHaveLength(1);
  },
);

test('an integer in the error of a proxy is not rounded, and does not keep the call from being tried again', async () => {
  const body = '{"trace":9007199254740993}';
  await startServer((_request, response, count) =>
    count === 1 ? response.writeHead(502).end(body) : response.writeHead(403).end(body),
  );
  expect(await client().listOrders().reply()).toMatchObject({
    declared: false,
    status: 403,
    attempts: 2,
    body,
  });
});

test('a body that is no UTF-8 is no data, as a list and as a stream; an error may be in any encoding', async () => {
  await startServer((_request, response, count) =>
    response.writeHead(count > 2 ? 400 : 200).end(Buffer.from('[{"name":"caf\xe9"}]', 'latin1')),
  );
  const petstore = client();
  await expect(petstore.listOrders()).rejects.toMatchObject({ code: 'unexpected_reply', attempts: 1 });
  await expect(streamOrders(petstore).next()).rejects.toMatchObject({ code: 'unexpected_reply' });
  expect(await petstore.listOrders().reply()).toMatchObject({ status: 400, body: [{ name: 'caf\ufffd' }] });
});

test('a body that is nested too deeply to be read is no answer of the API', async () => {
  const body = `[1234567890123456,${'['.repeat(100_000)}${']'.repeat(100_000)}]`;
  await sendAll(body);
  expect(await client().listOrders().reply()).toMatchObject({
    declared: false,
    status: 200,
    attempts: 1,
    body,
  });
});

test('the largest exact integers, and long digits in a text, are fine', async () => {
  await sendAll('{"id":9007199254740991,"name":"9007199254740993"}');
  expect(await client({ onDeprecation: () => {} }).getPet({ petId: 1 })).toEqual({
    id: 9007199254740991,
    name: '9007199254740993',
  });
});
