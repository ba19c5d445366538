import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type {
  CallOptions,
  HeadersOption,
  HeaderValues,
  PetstoreError,
  PetstoreOptions,
  RequestEvent,
} from '@petstore/client';
import { altered } from './altered.ts';
import { json, refuse } from './server.ts';
import { client, rejection, server, startServer } from './served.ts';

let received: IncomingMessage[];
let fail: number[] = [];
beforeEach(async () => {
  received = [];
  fail = [];
  await startServer((request, response) => {
    received.push(request);
    const status = fail.shift();
    if (status) return refuse(response, status, 'whatever');
    if (request.method !== 'GET') return response.writeHead(204).end();
    json(response, 200, []);
  });
});

const sent = (name: string) => received.map(({ headers }) => headers[name]);

describe('headers', () => {
  test('of a call come before those of the client, and these before its own, whatever the case', async () => {
    const petstore = client({ headers: { 'X-Team': 'a', 'X-Shop': 'b', 'user-agent': 'shop/1' } });
    await petstore.listOrders({}, { headers: { 'x-team': 'c', 'X-SHOP': undefined } });
    await petstore.listOrders({}, { headers: { 'x-team': null, 'X-SHOP': 'd' } });
    await petstore.listOrders({}, { headers: new Headers({ Authorization: 'Bearer other' }) });
    expect(sent('x-team')).toEqual(['c', undefined, 'a']);
    expect(sent('x-shop')).toEqual([undefined, 'd', 'b']);
    expect(sent('user-agent')).toEqual(['shop/1', 'shop/1', 'shop/1']);
    expect(sent('authorization')).toEqual(['Bearer pst_test', 'Bearer pst_test', 'Bearer other']);
  });

  test('may be a function, which is called for each attempt', async () => {
    let count = 0;
    fail = [503];
    await client({ headers: () => Promise.resolve({ 'x-count': String(++count) }) }).listOrders();
    expect(sent('x-count')).toEqual(['1', '2']);
  });

  test('that cannot be sent are told of once, without what they contain', async () => {
    const call = client({ headers: { 'x-token': 'hush\nhush' } }).listOrders();
    await expect(call).rejects.toMatchObject({ code: 'invalid_fetch', attempts: 1 });
    await expect(call).rejects.toThrow(/^(?!.*hush)/);
    expect(received).toEqual([]);
  });

  test.each([() => null, () => 'x-team: a'])(
    'that are none are told of by their name: %p',
    async (headers) => {
      const call = client({ headers: headers as unknown as () => HeaderValues }).listOrders();
      await expect(call).rejects.toMatchObject({
        code: 'callback_failed',
        attempts: 0,
        message: expect.stringMatching(/^listOrders: headers failed: /) as unknown,
      });
      expect(received).toEqual([]);
    },
  );
});

describe('hooks', () => {
  test('may change the address and the headers of a request, and see the headers of its response', async () => {
    const seen: unknown[] = [];
    await client({
      onRequest: async (request) => {
        await Promise.resolve();
        request.url += '?trace=1';
        request.headers['x-signed'] = `${request.method} ${request.attempt}`;
      },
      onResponse: ({ headers, url }) => void seen.push(headers.get('content-type'), url),
    }).listOrders();
    expect(server.requests).toEqual(['GET /v1/store/orders?trace=1']);
    expect(sent('x-signed')).toEqual(['GET 1']);
    expect(seen).toEqual(['application/json', `${server.baseUrl}/store/orders?trace=1`]);
  });

  test('may write the names of headers as they like: none is sent twice, and no secret is shown', async () => {
    await startServer((request, response) => {
      received.push(request);
      refuse(response, 401, 'unauthorized', { 'x-echo': String(request.headers['x-api-token']) });
    });
    const changes = {
      Authorization: 'Bearer other',
      'X-Team': 'b',
      'X-Api-Token': 'hush-hush',
      'User-Agent': undefined,
    };
    const onRequest = ({ headers }: RequestEvent) => void Object.assign(headers, changes);
    const error = await rejection(client({ headers: { 'x-team': 'a' }, onRequest }).listOrders());
    expect((error as PetstoreError).headers?.get('x-echo')).toBe('[redacted]');
    expect(sent('authorization')).toEqual(['Bearer other']);
    expect(sent('x-team')).toEqual(['b']);
    expect(sent('user-agent')).toEqual(['node']);
  });

  test('may give the address as a URL', async () => {
    const changeUrl = (request: RequestEvent) =>
      Object.assign(request, { url: new URL(`${request.url}?trace=1`) });
    await client({ onRequest: (request) => void changeUrl(request) }).listOrders();
    expect(server.requests).toEqual(['GET /v1/store/orders?trace=1']);
  });

  test('may change the address of one attempt alone: an error names that of the last', async () => {
    fail = [503, 404];
    const onRequest = (request: RequestEvent) =>
      void (request.url += request.attempt < 2 ? '?from=copy' : '');
    await expect(client({ onRequest }).listOrders()).rejects.toMatchObject({
      url: `${server.baseUrl}/store/orders`,
    });
    expect(server.requests).toEqual(['GET /v1/store/orders?from=copy', 'GET /v1/store/orders']);
  });

  test('that change requests fail the call if they fail, and nothing is sent', async () => {
    const petstore = client({
      onRequest: () => Promise.reject(new Error('no signature')),
    });
    await expect(petstore.listOrders()).rejects.toMatchObject({
      code: 'callback_failed',
      message: 'listOrders: onRequest failed: no signature',
      cause: { message: 'no signature' },
      attempts: 0,
    });
    expect(received).toEqual([]);
  });
});

describe('withOptions', () => {
  test('leaves as they are those that are undefined', async () => {
    const petstore = client({ maxAttempts: 1 }).withOptions({ apiKey: undefined, maxAttempts: undefined });
    fail = [503];
    await expect(petstore.listOrders()).rejects.toMatchObject({ attempts: 1 });
    expect(sent('authorization')).toEqual(['Bearer pst_test']);
  });

  test('changes what it names, keeps the rest, and shares the pacing', async () => {
    const petstore = client({ headers: { 'x-team': 'a' }, maxAttempts: 1 });
    fail = [429];
    await petstore.listOrders().catch(() => {});
    const derived = petstore.withOptions({ headers: { 'x-team': 'b' } });
    await expect(derived.listOrders({}, { budget: 900 })).rejects.toMatchObject({ status: 429, attempts: 0 });
    await derived.listOrders();
    expect(sent('x-team')).toEqual(['a', 'b']);
    expect(sent('authorization')).toEqual(['Bearer pst_test', 'Bearer pst_test']);
  });

  test('with another key or address knows nothing of the limits of the first', async () => {
    const petstore = client({ maxAttempts: 1 });
    fail = [429];
    await petstore.listOrders().catch(() => {});
    for (const changes of [{ apiKey: 'pst_other' }, { baseUrl: server.baseUrl }])
      expect(await petstore.withOptions(changes).listOrders({}, { budget: 900 })).toEqual([]);
    expect(() => petstore.withOptions({ timeout: -1 })).toThrow(TypeError);
  });
});

describe('a POST', () => {
  beforeEach(() => void Object.assign(altered, { method: 'POST' }));

  const newKey = () => ({ 'Idempotency-Key': randomUUID() });
  const overwrite = ({ headers }: RequestEvent) => void Object.assign(headers, newKey());

  test.each<[string, PetstoreOptions, CallOptions]>([
    ['of the call', {}, { headers: newKey() }],
    ['of its Headers', {}, { headers: new Headers(newKey()) }],
    ['of its entries', {}, { headers: Object.entries(newKey()) }],
    ['of its function', {}, { headers: newKey }],
    ['of the function of the client', { headers: newKey }, {}],
    ['of the hook', { onRequest: overwrite }, {}],
  ])('is tried again with an idempotency key, the same each time: %s', async (_of, ...options) => {
    const seen: unknown[] = [];
    const [{ onRequest }, callOptions] = options;
    const petstore = client({
      ...options[0],
      onRequest(event) {
        seen.push(event.headers['idempotency-key']);
        void onRequest?.(event);
      },
    });
    fail = [503];
    await petstore.cancelOrder({ orderId: 1 }, callOptions);
    const [first, again] = sent('idempotency-key');
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(again).toBe(first);
    // A signature of the headers has to fit.
    expect(seen).toEqual([onRequest ? undefined : first, first]);
  });

  test.each<HeadersOption | undefined>([
    undefined,
    { 'X-Idempotency-Key': 'a' },
    { 'Idempotency-Key': undefined },
    { 'Idempotency-Key': '' },
    () => ({}),
  ])('is sent once without one: %p', async (headers) => {
    fail = [503];
    const call = client().cancelOrder({ orderId: 1 }, { headers });
    await expect(call).rejects.toMatchObject({ status: 503, attempts: 1 });
    expect(received).toHaveLength(1);
  });
});

describe('what no operation of the contract has yet', () => {
  const cancel = (input: object) => client().cancelOrder({ orderId: 1, ...input });

  test('an idempotency key is made once per call, is the same for each attempt, and may be given', async () => {
    Object.assign(altered, { method: 'POST', headers: ['Idempotency-Key'] });
    fail = [503];
    await cancel({});
    fail = [];
    await cancel({});
    await cancel({ 'Idempotency-Key': 'mine' });
    const [first, again, other, given] = sent('idempotency-key');
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(given).toBe('mine');
  });

  test.each([
    [{ name: 'Rex', age: 5n }, 'age cannot be sent exactly'],
    [{ name: undefined }, 'name cannot be sent exactly'],
    [{ name: 'Rex', tags: [undefined] }, '0 cannot be sent exactly'],
    [{ name: NaN }, 'name cannot be sent exactly'],
    [{ name: 2 ** 53 }, 'name cannot be sent exactly'],
    [{ nmae: 'Rex' }, 'nmae is unknown'],
  ])('a body that would not arrive as it is, is refused: %p', async (input, message) => {
    Object.assign(altered, { method: 'PUT', body: 'fields', fields: ['name', 'age', 'tags'] });
    await expect(cancel(input)).rejects.toMatchObject({
      name: 'InputError',
      message: `cancelOrder: ${message}`,
    });
    expect(received).toEqual([]);
  });
});
