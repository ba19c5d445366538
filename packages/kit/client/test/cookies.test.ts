import { readModel } from '@contract-kit/core/model';
import { clientOperationsOf, fetchKeyOf } from '../src/client-operations.ts';
import { createClient, createFetch, writeCookies, writeKeys, type FetchInit } from '../src/index.ts';
import { createFake } from '../src/testing.ts';

/* Keys in cookies, which only the browser writes there. */

const ok = { 204: { description: 'ok' } };
const theme = { name: 'theme', in: 'cookie', schema: { type: 'string' } };
const setsCookie = { 204: { description: 'in', headers: { 'Set-Cookie': { schema: { type: 'string' } } } } };
const model = readModel({
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1.0.0' },
  security: [{ session: [] }],
  paths: {
    '/me': { get: { operationId: 'getMe', parameters: [theme], responses: ok } },
    '/either': { post: { operationId: 'either', security: [{ token: [] }, { session: [] }], responses: ok } },
    '/login': { post: { operationId: 'login', security: [], responses: setsCookie } },
    '/token': { get: { operationId: 'byToken', security: [{ token: [] }], responses: ok } },
  },
  components: {
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
      token: { type: 'http', scheme: 'bearer' },
    },
  },
});
const operations = clientOperationsOf(model);
const contract = {
  ...{ name: 'notes', version: '1.0.0', basePath: '', headerTypes: {}, operations },
  ...{ servers: { production: 'https://api.example' }, fetchKey: fetchKeyOf(model), writeKeys, writeCookies },
};
type Notes = Record<string, (input?: object, options?: object) => Promise<unknown>>;

let sent: FetchInit;
const options = (apiKey?: string) => ({
  ...(apiKey !== undefined && { apiKey }),
  fetch: (_url: string, init: FetchInit) => {
    sent = init;
    return Promise.resolve(new Response(null, { status: 204 }));
  },
});
const clientWith = (apiKey?: string) => createClient(contract, options(apiKey)) as Notes;

test('elsewhere than in a browser, the key is a cookie among the parameters', async () => {
  const client = clientWith('a;b');
  await client['getMe']?.({ theme: 'dark' });
  expect([sent.headers['cookie'], sent.credentials]).toEqual(['theme=dark; sid=a%3Bb', 'include']);
  expect(sent.headers).not.toHaveProperty('authorization');
  await client['getMe']?.({}, { headers: { Cookie: 'sid=own' } });
  expect(sent.headers['cookie']).toBe('sid=own');
  await client['byToken']?.();
  expect([sent.headers['cookie'], sent.credentials, sent.headers['authorization']]).toEqual([
    undefined,
    undefined,
    'Bearer a;b',
  ]);
  await createFetch(contract, options('key'))('/other');
  expect(sent.headers['cookie']).toBe('sid=key');
});

describe('in a browser', () => {
  const page = globalThis as { location?: object };
  beforeEach(() => void (page.location = new URL('https://app.example')));
  afterEach(() => void delete page.location);

  test('the browser sends its own cookies, without a key and a header', async () => {
    for (const client of [clientWith(), clientWith('key')]) {
      for (const [id, input] of [['getMe', { theme: 'dark' }], ['login'], ['either']] as const) {
        await client[id]?.(input);
        expect([id, sent.headers['cookie'], sent.credentials]).toEqual([id, undefined, 'include']);
      }
    }
    await createFetch(contract, options())('/other');
    expect([sent.headers['cookie'], sent.credentials]).toEqual([undefined, 'include']);
    await clientWith()['getMe']?.({}, { credentials: 'omit' });
    expect(sent.credentials).toBe('omit');
  });

  test('an operation that takes no cookie needs a key, and sends none', async () => {
    await expect(clientWith()['byToken']?.()).rejects.toThrow('needs an apiKey');
    await clientWith('key')['byToken']?.();
    expect(sent.credentials).toBeUndefined();
  });
});

test('the fake takes the key from the cookie, and wants one', async () => {
  const { fetch } = createFake(
    {
      ...contract,
      errorCodes: { unauthorized: 401 },
      examples: { getMe: { status: 204 } },
      plans: {},
      deprecations: {},
    },
    { keys: ['a;b'] },
  );
  const statusOf = async (key?: string) => {
    const client = createClient(contract, { ...(key && { apiKey: key }), fetch, maxAttempts: 1 }) as Notes;
    return (client['getMe']?.() as Promise<unknown>).then(
      () => 204,
      ({ status }: { status?: number }) => status,
    );
  };
  expect([await statusOf('a;b'), await statusOf('other'), await statusOf()]).toEqual([204, 401, 401]);
});
