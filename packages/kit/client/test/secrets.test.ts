import { inspect } from 'node:util';
import type { Fetch } from '../src/index.ts';
import { streamLoans } from './support/library.ts';
import {
  apiKey,
  client,
  json,
  refuse,
  refuseAll,
  rejection,
  sendAll,
  server,
  startServer,
} from './support/served.ts';

const shown = (value: unknown) => inspect(value, { depth: 10, showHidden: true }) + JSON.stringify(value);

test('errors and events have the request and the headers of the response, and never the key', async () => {
  const events: unknown[] = [];
  const record = (event: unknown) => void events.push(event);
  await startServer((request, response, count) => {
    const seen = request.headers.authorization ?? '';
    const body = { code: 'unauthorized', message: `Unknown: ${seen}`, status: 401 };
    if (count === 1) refuse(response, 500);
    else if (count === 3) json(response, 401, body, { 'x-request-id': seen });
    else if (count < 5) response.writeHead(count === 2 ? 502 : 200).end(`<pre>${seen}</pre>`);
    else request.socket.destroy();
  });
  const library = client({ onRequest: record, onResponse: record, onRetry: record });
  const errors: unknown[] = [];
  for (let call = 0; call < 3; call++) errors.push(await rejection(library.listLoans()));
  const request = { method: 'GET', url: `${server.baseUrl}/loans` };
  const requestId = 'Bearer [redacted]';
  const message = 'listLoans: 401 unauthorized: Unknown: Bearer [redacted]';
  expect(errors).toMatchObject([
    { ...request, name: 'ApiError', status: 401, requestId, message },
    { ...request, name: 'UnexpectedReplyError' },
    { ...request, name: 'ConnectionError' },
  ]);
  expect((errors[0] as { headers: Headers }).headers.get('x-request-id')).toBe(requestId);
  expect(inspect(errors[0])).toMatch(`ApiError: ${message}`);
  expect(events).toContainEqual(expect.objectContaining({ status: 401, requestId }));
  expect(shown([library, errors, events])).not.toContain(apiKey);
});

test('a key that JSON spells with escapes is redacted', async () => {
  const message = `Unknown: ${apiKey.replace('_', '\\u005f')}`;
  await sendAll(`{"code":"unauthorized","message":"${message}","status":401}`, 401);
  const call = client().listLoans();
  await expect(call).rejects.toThrow('Unknown: [redacted]');
  expect(shown(await call.reply())).not.toContain(apiKey);
});

test('the error that ends a stream does not show the key', async () => {
  const pull = (controller: ReadableStreamDefaultController) => controller.error(new Error(`lost ${apiKey}`));
  const fetch = () => Promise.resolve(new Response(new ReadableStream({ pull })));
  const error = await rejection(streamLoans(client({ fetch })).next());
  expect(error).toMatchObject({ name: 'ConnectionError', cause: { message: 'lost [redacted]' } });
  expect(shown(error)).not.toContain(apiKey);
});

test('a failure of an injected fetch keeps its causes, without the key and without attached values', async () => {
  const fetch: Fetch = (_url, request) => {
    const cause = Object.assign(new Error(request.headers['authorization']), { code: 'ECONNRESET', request });
    throw Object.assign(new TypeError(`no way with ${apiKey}`, { cause }), { request });
  };
  const error = await rejection(client({ fetch, maxAttempts: 1 }).listLoans());
  const cause = { code: 'ECONNRESET', message: 'Bearer [redacted]' };
  expect(error).toMatchObject({
    name: 'ConnectionError',
    cause: { name: 'TypeError', message: 'no way with [redacted]', cause },
  });
  expect(shown(error)).not.toContain(apiKey);
});

test('a short test key is not redacted out of words', async () => {
  await refuseAll(401, 'unauthorized');
  await expect(client({ apiKey: 'is' }).listLoans()).rejects.toThrow('It is unauthorized.');
});
