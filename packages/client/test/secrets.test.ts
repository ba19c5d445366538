import { inspect } from 'node:util';
import { createPetstore, type Fetch, type PetstoreOptions } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { json, refuse, serve, type TestServer } from './server.ts';
import { virtualClock } from './virtual-clock.ts';

const apiKey = 'pst_0123456789abcdefghijklmnopqrstuv012345';

let server: TestServer | undefined;
afterEach(() => server?.close());

const client = (options: Partial<PetstoreOptions> = {}) =>
  createPetstore({ apiKey, baseUrl: server?.baseUrl, clock: virtualClock(), ...options });

const shown = (value: unknown) => inspect(value, { depth: 10, showHidden: true }) + JSON.stringify(value);

test('the key is in no error, no event and no rendering of the client', async () => {
  const events: unknown[] = [];
  const record = (event: unknown) => void events.push(event);
  server = await serve((request, response, count) => {
    const seen = request.headers.authorization;
    if (count === 1) return refuse(response, 500, 'internal_error');
    if (count === 2) return response.writeHead(502).end(`<pre>${seen}</pre>`);
    if (count === 3)
      return json(response, 401, { code: 'unauthorized', message: `Unknown: ${seen}`, status: 401 });
    if (count === 4) return response.writeHead(200).end(`<pre>${seen}</pre>`);
    request.socket.destroy();
  });
  const petstore = client({ onRequest: record, onResponse: record, onRetry: record });
  const errors: unknown[] = [];
  for (let call = 0; call < 3; call++)
    errors.push(await petstore.listOrders().catch((error: unknown) => error));
  expect(errors.map((error) => (error as Error).name)).toEqual([
    'ApiError',
    'UnexpectedReplyError',
    'ConnectionError',
  ]);
  expect(events.length).toBeGreaterThan(10);
  expect(shown([petstore, errors, events])).not.toContain(apiKey);
  expect((errors[0] as Error).message).toBe('Unknown: Bearer [redacted]');
});

test('a key that JSON spells with escapes is found', async () => {
  const message = `Unknown: ${apiKey.replace('_', '\\u005f')}`;
  server = await serve((_request, response) =>
    response.writeHead(401).end(`{"code":"unauthorized","message":"${message}","status":401}`),
  );
  const call = client().listOrders();
  await expect(call).rejects.toThrow('Unknown: [redacted]');
  expect(shown(await call.reply())).not.toContain(apiKey);
});

test.each([
  [
    'fails',
    () =>
      new Response(
        new ReadableStream({ pull: (controller) => controller.error(new Error(`lost ${apiKey}`)) }),
      ),
  ],
  [
    'cannot be read',
    () => ({
      status: 200,
      headers: new Headers(),
      text: () => Promise.resolve('[]'),
      body: {
        getReader() {
          throw new Error(`lost ${apiKey}`);
        },
      },
    }),
  ],
])('nor is it in what ends a stream whose body %s', async (_name, answer) => {
  const error: unknown = await streamOrders(client({ fetch: () => Promise.resolve(answer()) }))
    .next()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'ConnectionError', cause: { message: 'lost [redacted]' } });
  expect(shown(error)).not.toContain(apiKey);
});

test('what an injected fetch throws is left out if it shows the key', async () => {
  const fetch: Fetch = (_url, { headers }) =>
    Promise.reject(new Error(`cannot send ${headers['authorization']}`));
  const error: unknown = await client({ fetch })
    .listOrders()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'ConnectionError', attempts: 4 });
  expect(shown(error)).not.toContain(apiKey);
});

test('what an injected fetch attaches to its error is left out, for it may be the request', async () => {
  const fetch: Fetch = (_url, request) => {
    const cause = Object.assign(new Error(request.headers['authorization']), { code: 'ECONNRESET' });
    return Promise.reject(Object.assign(new TypeError('no way', { cause }), { request, cause }));
  };
  const error: unknown = await client({ fetch, maxAttempts: 1 })
    .listOrders()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    name: 'ConnectionError',
    cause: {
      name: 'TypeError',
      message: 'no way',
      cause: { code: 'ECONNRESET', message: 'Bearer [redacted]' },
    },
  });
  expect(shown(error)).not.toContain(apiKey);
});

test('a key as short as that of a test takes nothing out of words', async () => {
  server = await serve((_request, response) => refuse(response, 401, 'unauthorized'));
  await expect(client({ apiKey: 'is' }).listOrders()).rejects.toThrow('It is unauthorized.');
});

test('a request id that is the key is not shown', async () => {
  const events: unknown[] = [];
  server = await serve((_request, response) =>
    refuse(response, 401, 'unauthorized', { 'x-request-id': `for-${apiKey}` }),
  );
  const error: unknown = await client({ onResponse: (event) => events.push(event) })
    .listOrders()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ requestId: 'for-[redacted]' });
  expect(shown([error, events])).not.toContain(apiKey);
});
