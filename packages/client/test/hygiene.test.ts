import { createPetstore } from '@petstore/client';
import manifest from '../package.json' with { type: 'json' };
import { json, refuse } from './server.ts';
import { after, answerAll, apiKey, client, server, startServer } from './served.ts';

afterEach(() => jest.restoreAllMocks());

describe('where the key may go', () => {
  test.each([
    'https://api.petstore.example/v1',
    'http://localhost:3000/v1',
    'http://shop.localhost/v1',
    'http://127.0.0.1:1/v1/',
    'http://127.1.2.3/v1',
    'http://[::1]:3000/v1',
  ])('%s is an address', (baseUrl) => {
    expect(() => createPetstore({ apiKey, baseUrl })).not.toThrow();
  });

  test.each([
    'http://api.petstore.example/v1',
    'http://localhost.example/v1',
    'http://127.0.0.1.example/v1',
    'http://192.168.0.1/v1',
    'ftp://localhost/v1',
    'file:///v1',
    'javascript:alert(1)',
    'https://me:secret@api.petstore.example/v1',
    'https://api.petstore.example/v1?key=1',
    'https://api.petstore.example/v1#top',
    '/v1',
    '',
  ])('%p is refused', (baseUrl) => {
    expect(() => createPetstore({ apiKey, baseUrl })).toThrow(/^(Invalid URL|baseUrl must be .*)$/);
  });

  test('plain http to another host has to be allowed', () => {
    const baseUrl = 'http://petstore.internal/v1';
    expect(() => createPetstore({ apiKey, baseUrl, allowInsecure: true })).not.toThrow();
    expect(() =>
      createPetstore({ apiKey, baseUrl: 'ftp://petstore.internal/v1', allowInsecure: true }),
    ).toThrow(TypeError);
  });

  test.each([
    [undefined, 'https://api.petstore.example/v1/store/orders'],
    ['production', 'https://api.petstore.example/v1/store/orders'],
    ['staging', 'https://staging.petstore.example/v1/store/orders'],
    ['local', 'http://localhost:3000/v1/store/orders'],
  ] as const)('the environment %p is the server of the contract', async (environment, url) => {
    const urls: string[] = [];
    const fetch = (sent: string) => {
      urls.push(sent);
      return Promise.resolve(new Response('[]'));
    };
    await createPetstore({ apiKey, environment, fetch }).listOrders();
    expect(urls).toEqual([url]);
  });
});

test('hooks are told of each request, answer and retry', async () => {
  const events: unknown[] = [];
  await startServer(after(503));
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  await client({
    onRequest: (event) => events.push(['request', event]),
    onResponse: (event) => events.push(['response', event]),
    onRetry: (event) => events.push(['retry', event]),
  }).listOrders();
  const sent = { operation: 'listOrders', method: 'GET', url: `${server.baseUrl}/store/orders` };
  const sentHeaders = { accept: 'application/json', 'user-agent': `petstore-client/${manifest.version}` };
  const received = {
    requestId: 'request-1',
    rateLimit: expect.objectContaining({ limit: 60, remaining: 59 }) as unknown,
    duration: 0,
    headers: expect.any(Headers) as unknown,
  };
  expect(events).toEqual([
    ['request', { ...sent, attempt: 1, headers: sentHeaders }],
    ['response', { ...sent, attempt: 1, status: 503, ...received }],
    ['retry', { ...sent, attempt: 1, delay: 250, status: 503 }],
    ['request', { ...sent, attempt: 2, headers: sentHeaders }],
    ['response', { ...sent, attempt: 2, status: 200, ...received }],
  ]);
});

test.each<[string, () => void]>([
  [
    'throws',
    () => {
      throw new Error('broken telemetry');
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken telemetry'))],
])('a hook that is only told, and %s, changes nothing, and nobody has to catch it', async (_how, fail) => {
  const unhandled: unknown[] = [];
  const record = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', record);
  await startServer((_request, response, count) =>
    count === 1
      ? refuse(response, 503, 'service_unavailable')
      : json(response, 200, [], { deprecation: '@1' }),
  );
  const petstore = client({
    onResponse: fail,
    onRetry: fail,
    onDeprecation: fail,
    logger: { debug: fail },
  });
  expect(await petstore.listOrders()).toEqual([]);
  await new Promise((turn) => setImmediate(turn));
  process.off('unhandledRejection', record);
  expect(unhandled).toEqual([]);
});

test('without a hook, one warning of a deprecation per operation and process is written', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
  await answerAll({ id: 1 }, { deprecation: '@1793491200', sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' });
  await client().getPet({ petId: 1 });
  await client().getPet({ petId: 2 });
  expect(warn.mock.calls).toEqual([
    ['@petstore/client: getPet is deprecated and goes away at 2027-06-30T00:00:00.000Z'],
  ]);
});
