import { ApiError, InexactIntegerError, UnexpectedReplyError } from '../src/index.ts';
import { streamLoans } from './support/library.ts';
import { answerAll, client, refuseAll, sendAll, server, startServer } from './support/served.ts';

test('reply() and result() of a success', async () => {
  await answerAll([{ id: 1 }], { 'x-ratelimit-reset': 1795251660, 'x-other': 'one' });
  const call = client().listLoans();
  const reply = await call.reply();
  const rateLimit = { limit: 60, remaining: 59, reset: 1795251660 };
  const headers = {
    'X-RateLimit-Limit': 60,
    'X-RateLimit-Remaining': 59,
    'X-RateLimit-Reset': 1795251660,
    'X-Request-Id': 'request-1',
  };
  const known = { status: 200, attempts: 1, requestId: 'request-1', rateLimit };
  expect(reply).toMatchObject({ ...known, headers, body: [{ id: 1 }] });
  expect(reply.rawHeaders.get('x-other')).toBe('one');
  const { data, error, response } = await call.result();
  expect([data, error, response.status]).toEqual([[{ id: 1 }], undefined, 200]);
  expect(response.headers.get('x-other')).toBe('one');
  expect(server.requests).toHaveLength(1);
});

test('an inexact or malformed number header is only in the raw headers', async () => {
  await answerAll([], { 'x-ratelimit-reset': '9007199254740993', 'x-ratelimit-limit': 'many' });
  const reply = await client().listLoans().reply();
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
  ['a list nested too deeply', 200, `[${'['.repeat(100_000)}${']'.repeat(100_000)}]`],
  ['an undeclared status', 202, '[]'],
  ['an Error object with a success status', 203, '{"code":"pay","message":"Pay.","status":203}'],
  ['an Error object of another status', 401, '{"code":"unauthorized","message":"No.","status":403}'],
  ['an error without a code', 401, '{"message":"No."}'],
])('%s is undeclared, never a success and never a SyntaxError', async (_name, status, text) => {
  await sendAll(text, status);
  const call = client().listLoans();
  await expect(call).rejects.toMatchObject({ status });
  for (const asked of [call, call.reply()]) await expect(asked).rejects.toBeInstanceOf(UnexpectedReplyError);
  const { data, error, response } = await call.result();
  expect([data, error, response.status]).toEqual([undefined, expect.any(UnexpectedReplyError), status]);
});

test('a 429 without a body is still a RateLimitError', async () => {
  await startServer((_request, response) => response.writeHead(429, { 'retry-after': '100' }).end());
  await expect(client().listLoans()).rejects.toMatchObject({
    name: 'RateLimitError',
    code: 'rate_limit_exceeded',
    retryAfter: 100,
  });
});

test.each([
  [true, 409, 'loan_already_returned'],
  [true, 409, 'loan_frozen'],
  [false, 402, 'payment_required'],
])(
  'an error, declared (%s) or newer than the client, is thrown with its code',
  async (declared, status, code) => {
    await refuseAll(status, code);
    const call = client().cancelLoan({ loanId: 2 });
    const known = { status, body: { code, message: `It is ${code}.`, status }, requestId: 'request-1' };
    const message = `cancelLoan: ${status} ${code}: It is ${code}.`;
    const error = { name: 'ApiError', code, message, ...known, attempts: 1 };
    await expect(call).rejects.toMatchObject(error);
    await expect(call).rejects.toBeInstanceOf(ApiError);
    expect(await call.result()).toMatchObject({ data: undefined, error, response: { status } });
    if (declared) expect(await call.reply()).toMatchObject(known);
    else await expect(call.reply()).rejects.toMatchObject(error);
    expect(server.requests).toEqual(['DELETE /v1/loans/2']);
  },
);

test('a redirect is an error, and is not followed', async () => {
  const location = 'http://127.0.0.1:1/v1/loans';
  await startServer((_request, response) => response.writeHead(302, { location }).end());
  const message = expect.stringContaining(`a redirect to ${location}`) as unknown;
  const error = { name: 'UnexpectedReplyError', status: 302, attempts: 1, message };
  await expect(client().listLoans()).rejects.toMatchObject(error);
});

test.each(['9007199254740993', '-9007199254740993', '1e400'])(
  'the integer %s in a response is an error, never a rounded number',
  async (integer) => {
    await sendAll(`[{"id":1},{"id":${integer}}]`);
    const call = client().listLoans();
    await expect(call.reply()).rejects.toBeInstanceOf(InexactIntegerError);
    await expect(call).rejects.toMatchObject({ code: 'inexact_integer', status: 200, attempts: 1 });
    expect(server.requests).toHaveLength(1);
  },
);

test('an integer in the error of a proxy is not rounded, and the call is retried', async () => {
  const body = '{"trace":9007199254740993}';
  await startServer((_request, response, count) => response.writeHead(count === 1 ? 502 : 403).end(body));
  await expect(client().listLoans()).rejects.toMatchObject({ status: 403, attempts: 2, body });
});

test('the largest exact integer, and long digits in a string, are fine', async () => {
  await sendAll('{"id":9007199254740991,"name":"9007199254740993"}');
  const book = { id: 9007199254740991, name: '9007199254740993' };
  expect(await client({ onDeprecation: () => {} }).getBook({ bookId: 1 })).toEqual(book);
});

test('a success must be UTF-8, as a list and as a stream; an error may have any encoding', async () => {
  await startServer((_request, response, count) =>
    response.writeHead(count > 2 ? 400 : 200).end(Buffer.from('[{"name":"caf\xe9"}]', 'latin1')),
  );
  const library = client();
  await expect(library.listLoans()).rejects.toMatchObject({ code: 'unexpected_reply', attempts: 1 });
  await expect(streamLoans(library).next()).rejects.toMatchObject({ code: 'unexpected_reply' });
  await expect(library.listLoans()).rejects.toMatchObject({ status: 400, body: [{ name: 'caf\ufffd' }] });
});

test('a list may begin with a byte order mark, also as a stream', async () => {
  await sendAll('\ufeff[{"id":1}]');
  expect(await client().listLoans()).toEqual([{ id: 1 }]);
  expect((await streamLoans(client()).next()).value).toEqual({ id: 1 });
});
