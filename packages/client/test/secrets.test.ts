import { inspect } from 'node:util';
import { type Fetch } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { json, refuse } from './server.ts';
import { apiKey, client, refuseAll, rejection, sendAll, startServer } from './served.ts';

const shown = (value: unknown) => inspect(value, { depth: 10, showHidden: true }) + JSON.stringify(value);

test('the key is in no error, no event and no rendering of the client', async () => {
  const events: unknown[] = [];
  const record = (event: unknown) => void events.push(event);
  await startServer((request, response, count) => {
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
  await sendAll(`{"code":"unauthorized","message":"${message}","status":401}`, 401);
  const call = client().listOrders();
  await expect(call).rejects.toThrow('Unknown: [redacted]');
  expect(shown(await call.reply())).not.toContain(apiKey);
});

test('nor is it in what ends a stream', async () => {
  const pull = (controller: ReadableStreamDefaultController) => controller.error(new Error(`lost ${apiKey}`));
  const fetch = () => Promise.resolve(new Response(new ReadableStream({ pull })));
  const error = await rejection(streamOrders(client({ fetch })).next());
  expect(error).toMatchObject({ name: 'ConnectionError', cause: { message: 'lost [redacted]' } });
  expect(shown(error)).not.toContain(apiKey);
});

test('of what an injected fetch throws, the key and what is attached are left out, for that may be the request', async () => {
  const fetch: Fetch = (_url, request) => {
    const cause = Object.assign(new Error(request.headers['authorization']), { code: 'ECONNRESET' });
    return Promise.reject(
      Object.assign(new TypeError(`no way with ${request.headers['authorization']}`, { cause }), {
        request,
        cause,
      }),
    );
  };
  const error = await rejection(client({ fetch, maxAttempts: 1 }).listOrders());
  expect(error).toMatchObject({
    name: 'ConnectionError',
    cause: {
      name: 'TypeError',
      message: 'no way with Bearer [redacted]',
      cause: { code: 'ECONNRESET', message: 'Bearer [redacted]' },
    },
  });
  expect(shown(error)).not.toContain(apiKey);
});

test('a key as short as that of a test takes nothing out of words', async () => {
  await refuseAll(401, 'unauthorized');
  await expect(client({ apiKey: 'is' }).listOrders()).rejects.toThrow('It is unauthorized.');
});
