import type { CallError, Options } from '../src/index.ts';
import { createLibrary, createPathClient } from './support/library.ts';
import {
  answerAll,
  apiKey,
  json,
  refuse,
  refuseOnce,
  rejection,
  server,
  startServer,
  virtualClock,
} from './support/served.ts';

const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

const create = (options: object) => () => createLibrary({ apiKey, ...options });

const NOT_KEY = 'apiKey must be the key alone: ASCII text without spaces or "Bearer "';
const example = 'https://api.library.example/v1';

test.each<[object, string]>([
  [{ apiKey: '' }, 'apiKey is missing: pass it, or set LIBRARY_API_KEY'],
  ...['Bearer lib_1', 'lib_1\n', 'schlüssel', 5].map((key): [object, string] => [{ apiKey: key }, NOT_KEY]),
  ...['api.library.example', 'localhost.example', '127.0.0.1.example', '192.168.0.1'].map(
    (host): [object, string] => [
      { baseUrl: `http://${host}/v1` },
      `baseUrl "http://${host}/v1" is not https, so that the key could be read on the way; allowInsecure permits that`,
    ],
  ),
  ...['ftp://localhost/v1', 'javascript:alert(1)'].map((baseUrl): [object, string] => [
    { baseUrl, allowInsecure: true },
    `baseUrl "${baseUrl}" begins with neither https: nor http:`,
  ]),
  ...['/v1', ''].map((baseUrl): [object, string] => [{ baseUrl }, `baseUrl "${baseUrl}" is no URL`]),
  [
    { baseUrl: example.replace('api', 'me:secret@api') },
    `baseUrl "${example.replace('api', '…@api')}" has credentials, which belong into apiKey`,
  ],
  ...['?key=1', '#top'].map((end): [object, string] => [
    { baseUrl: `${example}${end}` },
    `baseUrl "${example}" has a query or a fragment`,
  ]),
  [{ environment: 'stagin' }, 'environment must be one of production, staging, local'],
  ...[{ timeout: -1 }, { budget: Number(undefined) }, { maxAttempts: 0 }].map((limit): [object, string] => [
    limit,
    'timeout, budget and maxAttempts must be numbers above 0',
  ]),
])('refuses %j: %s', (options, message) => {
  expect(create(options)).toThrow(new TypeError(message));
});

test.each([
  { baseUrl: example },
  { baseUrl: 'http://localhost:3000/v1' },
  { baseUrl: 'http://shop.localhost/v1' },
  { baseUrl: 'http://127.1.2.3/v1/' },
  { baseUrl: 'http://[::1]:3000/v1' },
  { baseUrl: 'http://bookstore.internal/v1', allowInsecure: true },
])('takes %j', (options) => {
  expect(create(options)).not.toThrow();
});

const local = { LIBRARY_BASE_URL: 'http://localhost:1/v1' };

test.each([
  [{}, {}, 'https://api.library.example'],
  [{ environment: 'staging' }, {}, 'https://staging.library.example'],
  [{ environment: 'local' }, {}, 'http://localhost:3000'],
  [{}, local, 'http://localhost:1'],
  [{ environment: 'staging' }, local, 'https://staging.library.example'],
] as const)(
  'with the options %j and the variables %j, requests go to %s',
  async (options, variables, origin) => {
    Object.assign(process.env, { LIBRARY_API_KEY: 'lib_environment', ...variables });
    const fetch = jest.fn(() => Promise.resolve(Response.json([])));
    await createLibrary({ ...options, fetch }).listLoans();
    const headers = { authorization: 'Bearer lib_environment' };
    expect(fetch.mock.calls).toMatchObject([[`${origin}/v1/loans`, { headers }]]);
  },
);

test('an address on the origin of the page may be relative, and needs no key', async () => {
  const keys: unknown[] = [];
  await startServer((request, response) => {
    keys.push(request.headers.authorization);
    json(response, 200, []);
  });
  Object.assign(globalThis, { location: new URL(server.baseUrl.replace('/v1', '/index.html')) });
  try {
    expect(await createLibrary({ baseUrl: '/proxy/v1' }).listLoans()).toEqual([]);
    expect([server.requests, keys]).toEqual([['GET /proxy/v1/loans'], [undefined]]);
    expect(() => createLibrary({ environment: 'production' })).toThrow('apiKey is missing');
  } finally {
    Reflect.deleteProperty(globalThis, 'location');
  }
});

test('LIBRARY_LOG=debug writes to standard error, without keys', async () => {
  const written = jest.spyOn(console, 'error').mockImplementation(() => {});
  await refuseOnce(503, { 'retry-after': 0 });
  process.env['LIBRARY_LOG'] = 'debug';
  jest.spyOn(Math, 'random').mockReturnValue(0);
  await createLibrary({ apiKey, baseUrl: server.baseUrl, headers: { 'x-token': 'hush' } }).listLoans();
  const url = `${server.baseUrl}/loans`;
  expect(written.mock.calls).toEqual([
    [`library: listLoans: GET ${url}`],
    [expect.stringMatching(/^library: listLoans: 503 in \d+ ms, request-1$/)],
    ['library: listLoans: attempt 1 gave 503; again in 0 ms'],
    [`library: listLoans: GET ${url}, attempt 2`],
    [expect.stringMatching(/^library: listLoans: 200 in \d+ ms, request-1$/)],
  ]);
});

test('without onDeprecation, each deprecated operation warns once per process', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
  await answerAll({ id: 1 }, { deprecation: '@1793491200', sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' });
  const library = createLibrary({ apiKey, baseUrl: server.baseUrl });
  await library.getBook({ bookId: 1 });
  await library.getBook({ bookId: 2 });
  expect(warn.mock.calls).toEqual([
    ['library: getBook is deprecated and goes away at 2027-06-30T00:00:00.000Z'],
  ]);
});

describe('without onWait and logger', () => {
  const entries = {
    createLibrary: (options: Options) => {
      const library = createLibrary(options);
      return () => library.listLoans();
    },
    createPathClient: (options: Options) => {
      const library = createPathClient(options);
      return () => library.GET('/loans');
    },
  };
  const reasons = {
    'a quota that is used up': ['the quota of the API key is used up', 200, { 'x-ratelimit-remaining': 0 }],
    '429 with Retry-After': ['the API responded with 429', 429, { 'retry-after': 20 }],
    'a ban': ['the API responded with 429', 429, { 'retry-after': 900 }],
    '503 with Retry-After': ['a request failed and will be repeated', 503, { 'retry-after': 20 }],
  } as const;
  let warn: jest.SpyInstance;
  beforeEach(() => void (warn = jest.spyOn(console, 'warn').mockImplementation(() => {})));

  /** Starts a server whose first two responses make the client wait. */
  const respond = (status: number, headers: object) =>
    startServer((_request, response, count) => {
      const given = count > 2 ? {} : headers;
      if (status === 200 || count > 2) json(response, 200, [], given as Record<string, number>);
      else refuse(response, status, 'any', given as Record<string, number>);
    });
  const options = () => ({ apiKey, baseUrl: server.baseUrl, clock: virtualClock(), budget: 9_000_000 });

  describe.each(Object.entries(entries))('%s', (_entry, create) => {
    test.each(Object.entries(reasons))('warns once of a long wait: %s', async (_reason, given) => {
      const [reason, status, headers] = given;
      await respond(status, headers);
      const call = create(options());
      for (let i = 0; i < 3; i += 1) await call();
      const says = `^library: .+ waits \\d+ s, because ${reason}\\. .+ onWait `;
      expect(warn.mock.calls).toEqual([[expect.stringMatching(says)]]);
    });

    test('says nothing of a short wait, nor if onWait or a logger is given', async () => {
      await respond(503, { 'retry-after': 5 });
      jest.spyOn(Math, 'random').mockReturnValue(0);
      await create(options())();
      for (const given of [{ onWait: () => {} }, { logger: { debug: () => {} } }]) {
        await respond(503, { 'retry-after': 20 });
        await create({ ...options(), ...given })();
      }
      expect(warn).not.toHaveBeenCalled();
    });
  });

  test('a client of withOptions warns if the first one has not, unless it has onWait', async () => {
    await respond(503, {});
    const library = createLibrary(options());
    const derived = async (given: Options) => {
      await respond(503, { 'retry-after': 20 });
      await library.withOptions({ baseUrl: server.baseUrl, ...given }).listLoans();
      return warn.mock.calls.length;
    };
    expect(await derived({ onWait: () => {} })).toBe(0);
    expect(await derived({})).toBe(1);
    expect(await derived({})).toBe(1);
  });
});

describe('a function for the key', () => {
  const refusing = (isKnown: (key: string | undefined) => boolean) =>
    startServer((request, response) =>
      isKnown(request.headers.authorization)
        ? json(response, 200, [])
        : refuse(response, 401, 'unauthorized'),
    );

  test('is called once, and again only once for concurrent 401 responses', async () => {
    let current = 'lib_1';
    await refusing((key) => key === `Bearer ${current}`);
    const keyOf = jest.fn(() => Promise.resolve(current));
    const library = createLibrary({ apiKey: keyOf, baseUrl: server.baseUrl });
    await library.listLoans();
    await library.listLoans();
    expect(keyOf).toHaveBeenCalledTimes(1);
    current = 'lib_2';
    await Promise.all([library.listLoans(), library.listLoans(), library.listLoans()]);
    expect(keyOf).toHaveBeenCalledTimes(2);
  });

  test('is called again once per call, even with maxAttempts: 1', async () => {
    await refusing(() => false);
    const keyOf = jest.fn(() => 'lib_1');
    const library = createLibrary({ apiKey: keyOf, baseUrl: server.baseUrl, maxAttempts: 1 });
    await expect(library.listLoans()).rejects.toMatchObject({ status: 401, attempts: 2 });
    expect(keyOf).toHaveBeenCalledTimes(2);
  });

  test.each<[() => unknown, string]>([
    [() => JSON.parse('the vault is closed') as unknown, 'Unexpected token'],
    [() => 'lib_1\n', 'apiKey must be the key alone'],
    [() => undefined, 'the function returned no key'],
  ])('that fails, or returns no key, fails the call: %p', async (fail, message) => {
    await refusing(() => true);
    const keyOf = jest.fn(() => 'lib_1').mockImplementationOnce(fail as () => string);
    const library = createLibrary({ apiKey: keyOf, baseUrl: server.baseUrl });
    const error = (await rejection(library.listLoans())) as CallError;
    expect(error).toMatchObject({ code: 'callback_failed', attempts: 0 });
    expect(error.message).toMatch(`listLoans: apiKey failed: ${message}`);
    expect(await library.listLoans()).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
});
