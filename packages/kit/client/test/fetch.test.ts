import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { createFetch, InputError, type Fetch, type PetstoreOptions } from '@petstore/client';
import { createClient } from '@petstore/client/fetch';
import { createFakePetstore } from '@petstore/client/testing';
import { QueryClient } from '@tanstack/react-query';
import createQueries from 'openapi-react-query';
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
} from './served.ts';
import manifest from '../package.json' with { type: 'json' };

const options = (more: PetstoreOptions = {}): PetstoreOptions => ({
  apiKey,
  baseUrl: server.baseUrl,
  clock: virtualClock(),
  ...more,
});

describe('petstore.fetch', () => {
  test('sends other requests with the key and the user agent', async () => {
    const seen: unknown[] = [];
    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      const { authorization, 'user-agent': agent, 'x-team': team } = request.headers;
      seen.push([`${request.method} ${request.url}`, authorization, agent, team, await text(request)]);
      json(response, 200, { ok: true });
    };
    await startServer((request, response) => void receive(request, response));
    const petstore = client({ headers: { 'X-Team': 'a' } });
    expect(await (await petstore.fetch('/status')).json()).toEqual({ ok: true });
    const init = { method: 'PUT', body: 'text', headers: { 'X-Team': 'b' } };
    await petstore.fetch(new Request(`${server.baseUrl}/notes/1`, init));
    await petstore.fetch(new URL(`${server.baseUrl}/notes/2`), init);
    const known = [`Bearer ${apiKey}`, `petstore-client/${manifest.version}`];
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
    const { fetch } = createFakePetstore({ clock, plan: { perMinute: 2, perDay: 100 } });
    const petstore = client({ clock, fetch: fetch });
    await petstore.fetch('/store/orders');
    await petstore.listOrders();
    await petstore.fetch('/store/orders');
    expect(clock.sleeps).toEqual([60_000]);
    await petstore.listOrders();
    const url = `${server.baseUrl}/store/orders`;
    const refused = await rejection(petstore.withOptions({ budget: 5 }).fetch('/store/orders'));
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
    const petstore = client({ fetch, baseUrl: 'https://api.petstore.example/v1' });
    await petstore.fetch('/status', passed);
    await petstore.listOrders({ ...passed, next: { revalidate: 60 }, priority: 'high' });
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
    location = `${other}/store/orders`;
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
    ['another origin', () => send(`${other}/v1/store/orders`)],
    ['another path', () => send(server.baseUrl.replace('/v1', '/v2/x'))],
    ['a path that only begins alike', () => send(server.baseUrl.replace('/v1', '/v10/x'))],
    ['dot segments', () => send('/../admin')],
    ['encoded dot segments', () => send('/%2e%2e/admin')],
    ['a redirect to another origin', () => send('/store/orders', { headers: { 'X-Own': 'hush' } })],
    ['a redirect to another path', () => ((location = '/admin'), send('/store/orders'))],
    [
      'an address that onRequest makes',
      () => client({ onRequest: (event) => void (event.url = `${other}/v1`) }).listOrders(),
    ],
  ])('not to %s', async (_where, act) => {
    await act();
    expect(bytes).toMatch(/GET|admin|v2|v10/);
    expect(bytes).not.toMatch(/pst_test|authorization|hush/i);
  });

  test('a redirect can be rejected or returned, and is returned for a request with a body', async () => {
    expect((await send('/store/orders', { redirect: 'manual' })).status).toBe(302);
    await expect(send('/store/orders', { redirect: 'error' })).rejects.toThrow('redirected');
    expect((await send('/store/orders', { method: 'PUT', body: '[]' })).status).toBe(302);
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
  expect(await (await fetch('/store/orders')).json()).toEqual([]);
  expect(fetch.baseUrl).toBe(server.baseUrl);
});

describe('openapi-fetch’s client', () => {
  test('accepts the options of createPetstore, and returns typed data or errors', async () => {
    await startServer(after(503));
    const { data, response } = await createClient(options()).GET('/store/orders');
    expect([data satisfies { id?: number }[] | undefined, response.status]).toEqual([[], 200]);
    await refuseAll(409, 'order_already_shipped');
    const params = { path: { orderId: 2 } };
    const { error } = await createClient(options()).DELETE('/store/orders/{orderId}', { params });
    expect(error?.code).toBe('order_already_shipped');
  });

  test.each<[number | bigint | string, string]>([
    [1, '1'],
    [9007199254740993n, '9007199254740993'],
    ['9007199254740993', '9007199254740993'],
    ['a/b ?', 'a%2Fb%20%3F'],
  ])('sends the id %p as the single segment %s', async (orderId, segment) => {
    await answerAll({});
    await createClient(options()).DELETE('/store/orders/{orderId}', { params: { path: { orderId } } });
    expect(server.requests).toEqual([`DELETE /v1/store/orders/${segment}`]);
  });

  test.each([undefined, null, '', '.', '..', 2 ** 53, NaN, {}])('refuses the id %p', async (orderId) => {
    await answerAll({});
    const params = { path: { orderId: orderId as number } };
    const call = createClient(options()).DELETE('/store/orders/{orderId}', { params });
    await expect(call).rejects.toBeInstanceOf(InputError);
    expect(server.requests).toEqual([]);
  });

  test('supports middleware and parseAs', async () => {
    await answerAll([{ id: 1 }]);
    const petstore = createClient(options());
    const onResponse = jest.fn();
    petstore.use({ onRequest: ({ request }) => void request.headers.set('x-trace', '1'), onResponse });
    const { data } = await petstore.GET('/store/orders', { parseAs: 'text' });
    expect(data).toBe('[{"id":1}]');
    const { data: stream } = await petstore.GET('/store/orders', { parseAs: 'stream' });
    expect(await new Response(stream).json()).toEqual([{ id: 1 }]);
    expect(onResponse).toHaveBeenCalledTimes(2);
  });

  test('works with openapi-react-query', async () => {
    await answerAll([{ id: 1 }]);
    const queries = createQueries(createClient(options()));
    const orders = await new QueryClient().fetchQuery(queries.queryOptions('get', '/store/orders'));
    expect(orders).toEqual([{ id: 1 }]);
  });
});
