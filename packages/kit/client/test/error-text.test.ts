import { createClient } from '../src/index.ts';
import { contract } from './support/streams.ts';

/* The code and the message of errors whose shape is the contract's own. */

test.each([
  [{ code: 'full', message: 'No room.' }, 'full', 'No room.'],
  [{ type: 'about:blank', title: 'Conflict', detail: 'No room.' }, 'about:blank', 'No room.'],
  [{ error: { code: 'full', message: 'No room.' } }, 'full', 'No room.'],
  [{ error: 'No room.' }, '401', 'No room.'],
  [{ error: 'full', message: 'No room.' }, '401', 'No room.'],
  [{ errors: { type: 'is required' } }, '401', '{"errors":{"type":"is required"}}'],
  [{ error: { code: 7 } }, '401', '{"error":{"code":7}}'],
  [{ reasons: ['full'] }, '401', '{"reasons":["full"]}'],
])('are read from %j', async (body, code, message) => {
  const client = createClient(
    { ...contract, serviceErrors: true },
    { apiKey: 'key_1', fetch: () => Promise.resolve(Response.json(body, { status: 401 })) },
  ) as { list(): Promise<unknown> };
  await expect(client.list()).rejects.toMatchObject({
    name: 'ApiError',
    code,
    body,
    message: `list: 401 ${code}: ${message}`,
  });
});
