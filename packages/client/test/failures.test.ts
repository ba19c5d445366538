import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createH2 } from 'node:http2';
import { createServer as createTls } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import {
  ApiError,
  ConnectionError,
  InputError,
  PetstoreError,
  RateLimitError,
  type PetstoreOptions,
} from '@petstore/client';
import type * as Package from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { listen, refuse } from './server.ts';
import { client, refuseAll, rejection, sendAll, server, startServer } from './served.ts';

const failureOf = async (options: Partial<PetstoreOptions>) =>
  (await rejection(client(options).listOrders())) as PetstoreError;

describe('what no attempt would mend is not tried again', () => {
  test.each<[string, Partial<PetstoreOptions>, string]>([
    [
      'a mistake in a wrapper',
      { fetch: () => (undefined as unknown as { x: { y: never } }).x.y },
      'Cannot read properties',
    ],
    [
      'a wrapper that throws a TypeError',
      { fetch: () => Promise.reject(new TypeError('no such agent')) },
      'no such agent',
    ],
    [
      'a fetch that returns no Response',
      { fetch: () => Promise.resolve(undefined as unknown as Response) },
      'fetch failed: it must return a Response',
    ],
    ['an address that is none', { onRequest: (request) => void (request.url = 'http://[') }, 'Invalid URL'],
    ['a scheme that is none', { onRequest: (request) => void (request.url = 'a://b') }, 'unknown scheme'],
  ])('%s', async (_name, options, message) => {
    const error = await failureOf(options);
    expect(error).toBeInstanceOf(PetstoreError);
    expect(error).toMatchObject({ attempts: 1, message: expect.stringContaining(message) as unknown });
  });

  test('a certificate that nobody has signed', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'petstore-tls-'));
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [string, string];
    const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
    execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const tls = createTls({ key: readFileSync(key), cert: readFileSync(cert) });
    const host = await listen(tls);
    rmSync(folder, { recursive: true });
    expect(await failureOf({ baseUrl: `https://${host}/v1` })).toMatchObject({
      name: 'ConnectionError',
      attempts: 1,
      // Node.js 24 adds what one may do.
      message: expect.stringContaining(
        `no response from https://${host}/v1/store/orders: self-signed certificate`,
      ) as unknown,
    });
    tls.close();
  });

  test.each([
    'fetch failed',
    'Failed to fetch',
    'NetworkError when attempting to fetch resource.',
    'Load failed',
    'terminated',
  ])('but the network of an engine that says %p is', async (message) => {
    const fetch = () => Promise.reject(new TypeError(message));
    expect(await failureOf({ fetch })).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(`: ${message}$`) as unknown,
      attempts: 4,
    });
  });
});

describe('messages name what happened', () => {
  test('a port where nobody listens', async () => {
    const nobody = createServer();
    const host = await listen(nobody);
    nobody.close();
    expect(await failureOf({ baseUrl: `http://${host}/v1` })).toMatchObject({
      message: `listOrders: no response from http://${host}/v1/store/orders: connect ECONNREFUSED ${host}`,
      method: 'GET',
      url: `http://${host}/v1/store/orders`,
      attempts: 4,
    });
  });

  test('a host that does not exist', async () => {
    const error = await failureOf({ baseUrl: 'https://petstore.invalid/v1', maxAttempts: 1 });
    expect(error.message).toMatch(/getaddrinfo E[A-Z_]+ petstore\.invalid/);
  });

  test('a server of HTTP/2 alone', async () => {
    const h2 = createH2();
    const error = await failureOf({ baseUrl: `http://${await listen(h2)}/v1`, maxAttempts: 1 });
    expect(error.message).toMatch(/no response from .*: .*HTTP\/1\.1|Expected HTTP/);
    h2.close();
  });

  test.each([
    [{ timeout: 5 }, 'timeout of 5 ms'],
    [{ budget: 20 }, 'budget of 20 ms'],
  ])('the limit that was reached: %j', async (limits, message) => {
    await startServer(() => {});
    expect(await failureOf({ ...limits, maxAttempts: 1 })).toMatchObject({
      name: 'TimeoutError',
      message: `listOrders: no response within the ${message}`,
    });
  });

  test('that /v1 may have been forgotten, and only then', async () => {
    await refuseAll(404, 'not_found');
    const baseUrl = server.baseUrl.replace('/v1', '');
    expect((await failureOf({ baseUrl })).message).toBe(
      `It is not_found.: there is nothing at ${baseUrl}/store/orders; does baseUrl end in /v1?`,
    );
    expect((await failureOf({})).message).toBe('It is not_found.');
  });
});

describe('errors', () => {
  test('and events carry the request and the headers of the response, without the key', async () => {
    const events: unknown[] = [];
    await startServer(({ headers: { authorization = '' } }, response) => {
      const headers = { 'x-echo': authorization, 'x-request-id': authorization, 'retry-after': 7 };
      refuse(response, 401, 'unauthorized', headers);
    });
    const error = await failureOf({ onResponse: (event) => events.push(event) });
    const requestId = 'Bearer [redacted]';
    expect(events).toMatchObject([{ status: 401, requestId, retryAfter: 7 }]);
    expect(error).toMatchObject({
      method: 'GET',
      url: `${server.baseUrl}/store/orders`,
      status: 401,
      requestId,
    });
    expect(error.headers?.get('retry-after')).toBe('7');
    expect(error.headers?.get('x-echo')).toBe(requestId);
    expect(inspect([error, events], { depth: 10, showHidden: true })).not.toContain('pst_test');
    expect(inspect(error)).toMatch(/^ApiError: It is unauthorized\.\n/);
  });

  test('are told apart across copies of the package', async () => {
    let copy: typeof Package | undefined;
    await jest.isolateModulesAsync(async () => {
      copy = await import('@petstore/client');
    });
    if (!copy || copy.ApiError === ApiError) throw new Error('not a copy');
    const details = { operation: 'listOrders', code: 'x', attempts: 1 } as const;
    const limited = new copy.RateLimitError('', details);
    expect(limited).toBeInstanceOf(RateLimitError);
    expect(limited).toBeInstanceOf(ApiError);
    expect(limited).toBeInstanceOf(PetstoreError);
    expect(limited).not.toBeInstanceOf(ConnectionError);
    expect(new Error('')).not.toBeInstanceOf(PetstoreError);
    class Mine extends ConnectionError {}
    expect(new ConnectionError('', details)).not.toBeInstanceOf(Mine);
    expect(new Mine('', details)).toBeInstanceOf(ConnectionError);
    for (const value of [undefined, null, 1, 'x', {}]) expect(value).not.toBeInstanceOf(InputError);
  });
});

describe('bodies', () => {
  test('without end are cut', async () => {
    const chunk = Buffer.alloc(2 ** 20, ' ');
    await startServer((_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    expect(await failureOf({ maxAttempts: 1 })).toMatchObject({
      name: 'UnexpectedReplyError',
      message: 'listOrders: the response is not UTF-8, or longer than 256 MiB',
      attempts: 1,
    });
  });

  test('may begin with a byte order mark, as a list and as a stream', async () => {
    await sendAll('\ufeff[{"id":1}]');
    const petstore = client();
    expect(await petstore.listOrders()).toEqual([{ id: 1 }]);
    const streamed: unknown[] = [];
    for await (const order of streamOrders(petstore)) streamed.push(order);
    expect(streamed).toEqual([{ id: 1 }]);
  });

  test.each(['efbbbfefbbbf5b5d', 'efbb5b5d', '20efbbbf5b5d'])(
    'may not begin with another: %s',
    async (bytes) => {
      await sendAll(Buffer.from(bytes, 'hex'));
      await expect(client().listOrders()).rejects.toMatchObject({ code: 'unexpected_reply' });
    },
  );

  test('that were read before are told of, and later calls do not hang', async () => {
    const shared = Response.json([]);
    const fetch = jest.fn(() => Promise.resolve(Response.json([])));
    const petstore = client({ fetch: fetch.mockResolvedValueOnce(shared).mockResolvedValueOnce(shared) });
    await petstore.listOrders();
    await expect(petstore.listOrders()).rejects.toMatchObject({
      code: 'invalid_fetch',
      attempts: 1,
      message: expect.stringContaining('return a new one for each call') as unknown,
    });
    expect(await petstore.listOrders()).toEqual([]);
  });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['no headers', { status: 200 }],
  ['headers that throw', { status: 200, headers: { get: () => Promise.reject.call(undefined, '') } }],
  ['no body', { status: 200, headers: new Headers() }],
])('a fetch that returns %s fails that call alone: later calls do not hang', async (_name, double) => {
  const fetch = jest.fn(() => Promise.resolve(Response.json([])));
  const petstore = client({ fetch: fetch.mockResolvedValueOnce(double as Response) });
  await expect(petstore.listOrders()).rejects.toBeInstanceOf(PetstoreError);
  expect(await petstore.listOrders()).toEqual([]);
});

test.each([undefined, 'x', Symbol('x'), { message: { a: 1 } }, Object.freeze(new Error('x'))])(
  'whatever fetch rejects with is a ConnectionError: %p',
  async (reason) => {
    const fetch = jest.fn<Promise<Response>, []>().mockRejectedValue(reason);
    expect(await failureOf({ fetch })).toMatchObject({ name: 'ConnectionError', attempts: 4 });
  },
);
