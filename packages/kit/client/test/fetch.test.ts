import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { InputError, type Fetch, type Options } from '../src/index.ts';
import { createFake } from '../src/testing.ts';
import { createFetch, createPathClient, fakeContract } from './support/library.ts';
import {
  after,
  answerAll,
  apiKey,
  client,
  json,
  listen,
  refuseAll,
  rejection,
  serve,
  server,
  startServer,
  virtualClock,
} from './support/served.ts';

const options = (more: Options = {}): Options => ({
  apiKey,
  baseUrl: server.baseUrl,
  clock: virtualClock(),
  ...more,
});

describe('library.fetch', () => {
  test('sends other requests with the key and the user agent', async () => {
    const seen: unknown[] = [];
    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      const { authorization, 'user-agent': agent, 'x-team': team } = request.headers;
      seen.push([`${request.method} ${request.url}`, authorization, agent, team, await text(request)]);
      json(response, 200, { ok: true });
    };
    await startServer((request, response) => void receive(request, response));
    const library = client({ headers: { 'X-Team': 'a' } });
    expect(await (await library.fetch('/status')).json()).toEqual({ ok: true });
    const init = { method: 'PUT', body: 'text', headers: { 'X-Team': 'b' } };
    await library.fetch(new Request(`${server.baseUrl}/notes/1`, init));
    await library.fetch(new URL(`${server.baseUrl}/notes/2`), init);
    const known = [`Bearer ${apiKey}`, 'library-client/1.0.0'];
    expect(seen).toEqual([
      ['GET /v1/status', ...known, 'a', ''],
      ['PUT /v1/notes/1', ...known, 'b', 'text'],
      ['PUT /v1/notes/2', ...known, 'b', 'text'],
    ]);
  });

  test('retries, calls the hooks without an operation, and throws for no status', async () => {
    await startServer(after(503, 503, 404));
    const onResponse = jest.fn();
    const response = await client({ onResponse }).fetch('/status');
    expect(response.status).toBe(404);
    const event = (status: number) => [{ operation: undefined, status }];
    expect(onResponse.mock.calls).toMatchObject([event(503), event(503), event(404)]);
    expect(await response.json()).toMatchObject({ code: 'any' });
    const { status } = await client({ maxAttempts: 1 }).fetch('/status', { method: 'POST', body: '{}' });
    expect(status).toBe(200);
  });

  test('shares the quota with the operations, and is refused when the quota is used up', async () => {
    const clock = virtualClock();
    const { fetch } = createFake(fakeContract, { clock, plan: { perMinute: 2, perDay: 100 } });
    const library = client({ clock, fetch: fetch });
    await library.fetch('/loans');
    await library.listLoans();
    await library.fetch('/loans');
    expect(clock.sleeps).toEqual([60_000]);
    await library.listLoans();
    const url = `${server.baseUrl}/loans`;
    const refused = await rejection(library.withOptions({ budget: 5 }).fetch('/loans'));
    expect(refused).toMatchObject({ name: 'RateLimitError', attempts: 0, operation: undefined });
    expect((refused as Error).message).toMatch(`GET ${url}: 429 rate_limit_exceeded: not sent`);
  });

  test('ends when its signal aborts, also while the body is read', async () => {
    await startServer((_request, response) => void response.writeHead(200).write('['));
    const controller = new AbortController();
    const response = await client().fetch('/status', { signal: controller.signal });
    const reading = response.text();
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow();
  });

  test('passes other options to fetch', async () => {
    const fetch = jest.fn<Promise<Response>, Parameters<Fetch>>(() => Promise.resolve(Response.json([])));
    const passed = { cache: 'no-store', credentials: 'include', keepalive: true } as const;
    const library = client({ fetch, baseUrl: 'https://api.library.example/v1' });
    await library.fetch('/status', passed);
    await library.listLoans({ ...passed, next: { revalidate: 60 }, priority: 'high' });
    expect(fetch.mock.calls.map(([, init]) => init)).toMatchObject([
      passed,
      { ...passed, next: { revalidate: 60 }, priority: 'high' },
    ]);
  });
});

describe('the key goes to the origin and base path of baseUrl only: read from sockets,', () => {
  let otherOrigin: Server;
  let other: string;
  /** All bytes that arrived at the other address. */
  let bytes: string;
  let location: string;

  beforeEach(async () => {
    bytes = '';
    otherOrigin = createServer((socket) => {
      socket.on('data', (data) => {
        bytes += data.toString('latin1');
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]');
      });
    });
    other = `http://${await listen(otherOrigin)}`;
    location = `${other}/loans`;
    await startServer((request, response) => {
      if (request.url?.startsWith('/v1/')) return response.writeHead(302, { location }).end();
      bytes += JSON.stringify([request.url, request.rawHeaders]);
      json(response, 200, []);
    });
  });
  afterEach(() => otherOrigin.close());

  const secret = { 'X-Token': 'hush-hush' };
  const send = (address: string, init?: RequestInit) => client({ headers: secret }).fetch(address, init);

  test.each<[string, () => Promise<unknown>]>([
    ['another origin', () => send(`${other}/v1/loans`)],
    ['another path', () => send(server.baseUrl.replace('/v1', '/v2/x'))],
    ['a path that only begins alike', () => send(server.baseUrl.replace('/v1', '/v10/x'))],
    ['dot segments', () => send('/../admin')],
    ['encoded dot segments', () => send('/%2e%2e/admin')],
    ['a redirect to another origin', () => send('/loans', { headers: { 'X-Own': 'hush' } })],
    ['a redirect to another path', () => ((location = '/admin'), send('/loans'))],
    [
      'an address that onRequest makes',
      () => client({ onRequest: (event) => void (event.url = `${other}/v1`) }).listLoans(),
    ],
  ])('not to %s', async (_where, act) => {
    await act();
    expect(bytes).toMatch(/GET|admin|v2|v10/);
    expect(bytes).not.toMatch(/lib_test|authorization|hush/i);
  });

  test('a redirect can be rejected or returned, and is returned for a request with a body', async () => {
    expect((await send('/loans', { redirect: 'manual' })).status).toBe(302);
    await expect(send('/loans', { redirect: 'error' })).rejects.toThrow('redirected');
    expect((await send('/loans', { method: 'PUT', body: '[]' })).status).toBe(302);
    expect(bytes).toBe('');
  });

  test('a redirect below baseUrl has the key, whatever slash baseUrl ends in', async () => {
    const target = await serve((request, response) =>
      request.url === '/v1/old'
        ? response.writeHead(301, { location: 'new' }).end()
        : json(response, 200, request.headers.authorization),
    );
    const response = await client({ baseUrl: `${target.baseUrl}//` }).fetch('/old');
    expect(target.requests).toEqual(['GET /v1/old', 'GET /v1/new']);
    expect(await response.json()).toBe(`Bearer ${apiKey}`);
    target.close();
  });
});

test('createFetch makes the same fetch without a client', async () => {
  await answerAll([]);
  const fetch = createFetch(options());
  expect(await (await fetch('/loans')).json()).toEqual([]);
  expect(fetch.baseUrl).toBe(server.baseUrl);
});

describe('openapi-fetch’s client', () => {
  test('accepts the options of createLibrary, and returns typed data or errors', async () => {
    await startServer(after(503));
    const { data, response } = await createPathClient(options()).GET('/loans');
    expect([data satisfies { id?: number }[] | undefined, response.status]).toEqual([[], 200]);
    await refuseAll(409, 'loan_already_returned');
    const params = { path: { loanId: 2 } };
    const { error } = await createPathClient(options()).DELETE('/loans/{loanId}', { params });
    expect(error?.code).toBe('loan_already_returned');
  });

  test.each<[number | bigint | string, string]>([
    [1, '1'],
    [9007199254740993n, '9007199254740993'],
    ['9007199254740993', '9007199254740993'],
    ['a/b ?', 'a%2Fb%20%3F'],
  ])('sends the id %p as the single segment %s', async (loanId, segment) => {
    await answerAll({});
    await createPathClient(options()).DELETE('/loans/{loanId}', { params: { path: { loanId } } });
    expect(server.requests).toEqual([`DELETE /v1/loans/${segment}`]);
  });

  test.each([undefined, null, '', '.', '..', 2 ** 53, NaN, {}])('refuses the id %p', async (loanId) => {
    await answerAll({});
    const params = { path: { loanId: loanId as number } };
    const call = createPathClient(options()).DELETE('/loans/{loanId}', { params });
    await expect(call).rejects.toBeInstanceOf(InputError);
    expect(server.requests).toEqual([]);
  });

  test('supports middleware and parseAs', async () => {
    await answerAll([{ id: 1 }]);
    const library = createPathClient(options());
    const onResponse = jest.fn();
    library.use({ onRequest: ({ request }) => void request.headers.set('x-trace', '1'), onResponse });
    const { data } = await library.GET('/loans', { parseAs: 'text' });
    expect(data).toBe('[{"id":1}]');
    const { data: stream } = await library.GET('/loans', { parseAs: 'stream' });
    expect(await new Response(stream).json()).toEqual([{ id: 1 }]);
    expect(onResponse).toHaveBeenCalledTimes(2);
  });
});
