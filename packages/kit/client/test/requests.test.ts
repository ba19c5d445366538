import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CallOptions, HeadersOption, CallError, Options, RequestEvent } from '../src/index.ts';
import { altered, client, json, refuse, rejection, server, startServer } from './support/served.ts';

let received: IncomingMessage[];
/** The statuses of the first responses. */
let fail: number[] = [];
beforeEach(async () => {
  received = [];
  fail = [];
  await startServer((request, response) => {
    received.push(request);
    const status = fail.shift();
    const headers = {
      'x-echo': String(request.headers['x-api-token']),
      ...(request.headers['x-deprecated'] && { deprecation: '@1' }),
    };
    if (status) return refuse(response, status, 'any', headers);
    if (request.method !== 'GET') return response.writeHead(204).end();
    json(response, 200, [], headers);
  });
});
afterEach(() => jest.restoreAllMocks());

const sent = (name: string) => received.map(({ headers }) => headers[name]);

describe('headers', () => {
  test('of a call override those of the client, in any case', async () => {
    const library = client({ headers: { 'X-Team': 'a', 'X-Shop': 'b', 'user-agent': 'shop/1' } });
    await library.listLoans({}, { headers: { 'x-team': 'c', 'X-SHOP': undefined } });
    await library.listLoans({}, { headers: { 'x-team': null, 'X-SHOP': 'd' } });
    await library.listLoans({}, { headers: new Headers({ Authorization: 'Bearer other' }) });
    expect(sent('x-team')).toEqual(['c', undefined, 'a']);
    expect(sent('x-shop')).toEqual([undefined, 'd', 'b']);
    expect(sent('user-agent')).toEqual(['shop/1', 'shop/1', 'shop/1']);
    expect(sent('authorization')).toEqual(['Bearer lib_test', 'Bearer lib_test', 'Bearer other']);
  });

  test('may be a function that is called for each request', async () => {
    let count = 0;
    fail = [503];
    await client({ headers: () => Promise.resolve({ 'x-count': String(++count) }) }).listLoans();
    expect(sent('x-count')).toEqual(['1', '2']);
  });

  test('that cannot be sent fail the call, and its error does not show them', async () => {
    const call = client({ headers: { 'x-token': 'hush\nhush' } }).listLoans();
    await expect(call).rejects.toMatchObject({ code: 'connection_failed' });
    await expect(call).rejects.toThrow(/^(?!.*hush)/);
    expect(received).toEqual([]);
  });
});

test.each<[string, object]>([
  ['headers', { headers: () => null }],
  ['headers', { headers: () => 'x-team: a' }],
  ['onRequest', { onRequest: () => Promise.reject(new Error('no signature')) }],
])('if %s fails, the call fails and nothing is sent', async (name, options) => {
  const message = expect.stringContaining(`listLoans: ${name} failed: `) as unknown;
  const error = { code: 'callback_failed', message, attempts: 0 };
  await expect(client(options).listLoans()).rejects.toMatchObject(error);
  expect(received).toEqual([]);
});

describe('onRequest', () => {
  test('may change the address of one request', async () => {
    const urls: string[] = [];
    fail = [503, 404];
    const library = client({
      onRequest: async (request) => {
        await Promise.resolve();
        if (request.attempt === 1) request.url += '?trace=1';
      },
      onResponse: ({ url }) => void urls.push(url),
    });
    await expect(library.listLoans()).rejects.toMatchObject({ url: `${server.baseUrl}/loans` });
    expect(urls).toEqual(['?trace=1', ''].map((query) => `${server.baseUrl}/loans${query}`));
    expect(server.requests).toEqual(['GET /v1/loans?trace=1', 'GET /v1/loans']);
  });

  test('accepts header names in any case: sends none twice, and shows no secret', async () => {
    const own = { Authorization: 'Bearer other', 'X-Team': 'b', 'X-Api-Token': 'hush-hush' };
    const changes = { ...own, 'User-Agent': undefined };
    fail = [401];
    const onRequest = ({ headers }: RequestEvent) => void Object.assign(headers, changes);
    const error = await rejection(client({ headers: { 'x-team': 'a' }, onRequest }).listLoans());
    expect((error as CallError).headers?.get('x-echo')).toBe('[redacted]');
    expect(sent('authorization')).toEqual(['Bearer other']);
    expect(sent('x-team')).toEqual(['b']);
    expect(sent('user-agent')).toEqual(['node']);
  });
});

test('hooks get an event for each request, response and retry', async () => {
  const events: unknown[] = [];
  fail = [503];
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  await client({
    onRequest: (event) => void events.push(['request', event]),
    onResponse: (event) => void events.push(['response', event]),
    onRetry: (event) => void events.push(['retry', event]),
  }).listLoans();
  const request = { operation: 'listLoans', method: 'GET', url: `${server.baseUrl}/loans` };
  const headers = { accept: 'application/json', 'user-agent': 'library-client/1.0.0' };
  const response = {
    requestId: 'request-1',
    rateLimit: expect.objectContaining({ limit: 60, remaining: 59 }) as unknown,
    duration: 0,
    headers: expect.any(Headers) as unknown,
  };
  expect(events).toEqual([
    ['request', { ...request, attempt: 1, headers }],
    ['response', { ...request, attempt: 1, status: 503, ...response }],
    ['retry', { ...request, attempt: 1, delay: 250, status: 503 }],
    ['request', { ...request, attempt: 2, headers }],
    ['response', { ...request, attempt: 2, status: 200, ...response }],
  ]);
});

test.each<[string, () => unknown]>([
  ['throws', () => void JSON.parse('broken telemetry')],
  ['rejects', () => Promise.reject(new Error('broken telemetry'))],
])('a hook or a logger that %s changes nothing, and causes no unhandled error', async (_how, broken) => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  fail = [503];
  const hooks = { onResponse: broken, onRetry: broken, onDeprecation: broken, logger: { debug: broken } };
  const options = { ...hooks, headers: { 'x-deprecated': 'yes' } } as Options;
  expect(await client(options).listLoans()).toEqual([]);
  await new Promise((turn) => setImmediate(turn));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

describe('withOptions', () => {
  test('changes the given options, keeps the others, and shares the pacing', async () => {
    const library = client({ headers: { 'x-team': 'a' }, maxAttempts: 1 });
    fail = [429];
    await library.listLoans().catch(() => {});
    const derived = library.withOptions({ headers: { 'x-team': 'b' }, apiKey: undefined });
    await expect(derived.listLoans({}, { budget: 900 })).rejects.toMatchObject({ status: 429, attempts: 0 });
    fail = [503];
    await expect(derived.listLoans()).rejects.toMatchObject({ status: 503, attempts: 1 });
    expect(sent('x-team')).toEqual(['a', 'b']);
    expect(sent('authorization')).toEqual(['Bearer lib_test', 'Bearer lib_test']);
  });

  test('adds hooks after the existing ones', async () => {
    const called: string[] = [];
    const hooks = (name: string): Options => ({
      onRequest: ({ headers }) => void (headers['x-hooks'] = `${headers['x-hooks'] ?? ''}${name}`),
      onResponse: () => void called.push(name),
    });
    await client(hooks('a')).withOptions(hooks('b')).withOptions(hooks('c')).listLoans();
    expect([sent('x-hooks'), called]).toEqual([['abc'], ['a', 'b', 'c']]);
  });

  test('with another key or address does not share limits', async () => {
    const library = client({ maxAttempts: 1 });
    fail = [429];
    await library.listLoans().catch(() => {});
    for (const changes of [{ apiKey: 'lib_other' }, { baseUrl: server.baseUrl }])
      expect(await library.withOptions(changes).listLoans({}, { budget: 900 })).toEqual([]);
    expect(() => library.withOptions({ apiKey: 'a b' })).toThrow(TypeError);
  });
});

describe('a POST operation', () => {
  beforeEach(() => void Object.assign(altered, { method: 'POST' }));

  const newKey = () => ({ 'Idempotency-Key': randomUUID() });
  const overwrite = ({ headers }: RequestEvent) => void Object.assign(headers, newKey());

  test.each<[string, Options, CallOptions]>([
    ['of the call', {}, { headers: newKey() }],
    ['of its Headers', {}, { headers: new Headers(newKey()) }],
    ['of its entries', {}, { headers: Object.entries(newKey()) }],
    ['of its function', {}, { headers: newKey }],
    ['of the function of the client', { headers: newKey }, {}],
    ['of onRequest', { onRequest: overwrite }, {}],
  ])('is retried with the same idempotency key, one %s', async (_of, options, callOptions) => {
    const seen: unknown[] = [];
    const library = client({
      ...options,
      onRequest(event) {
        seen.push(event.headers['idempotency-key']);
        void options.onRequest?.(event);
      },
    });
    fail = [503];
    await library.cancelLoan({ loanId: 1 }, callOptions);
    const [first, again] = sent('idempotency-key');
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(again).toBe(first);
    // A signature covers these headers.
    expect(seen).toEqual([options.onRequest ? undefined : first, first]);
  });

  test.each<HeadersOption | undefined>([
    undefined,
    { 'X-Idempotency-Key': 'a' },
    { 'Idempotency-Key': '' },
    () => ({}),
  ])('is sent once without an idempotency key: %p', async (headers) => {
    fail = [503];
    const call = client().cancelLoan({ loanId: 1 }, { headers });
    await expect(call).rejects.toMatchObject({ status: 503, attempts: 1 });
    expect(received).toHaveLength(1);
  });

  test('that declares the header gets one key per call, unless the call sets one', async () => {
    Object.assign(altered, { headers: ['Idempotency-Key'] });
    fail = [503];
    const library = client();
    for (const input of [{}, {}, { 'Idempotency-Key': 'mine' }])
      await library.cancelLoan({ loanId: 1, ...input });
    const [first, again, other, given] = sent('idempotency-key');
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([again, given]).toEqual([first, 'mine']);
    expect(other).not.toBe(first);
  });
});
