import { createPetstore } from '@petstore/client';
import { json, refuse } from './server.ts';
import { after, server, startServer } from './served.ts';

const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

const create = (options: object) => () => createPetstore({ apiKey: 'pst_test', ...options });

const notTheKey = 'apiKey must be the key alone: ASCII text without spaces or "Bearer "';

test.each<[object, string]>([
  [{ apiKey: '' }, 'apiKey is missing: pass it, or set PETSTORE_API_KEY'],
  ...['Bearer pst_1', 'pst_1\n', 'schlüssel', 5].map((apiKey) => [{ apiKey }, notTheKey] as [object, string]),
  [{ timeout: '5s' }, 'timeout must be a number of milliseconds above 0'],
  [{ budget: 0 }, 'budget must be a number of milliseconds above 0'],
  [{ maxAttempts: 0 }, 'maxAttempts must be a number above 0'],
  [{ environment: 'stagin' }, 'environment must be one of production, staging, local'],
  [{ fetch: 'x' }, 'fetch must be a function'],
  [{ onRetry: true }, 'onRetry must be a function'],
])('%j is refused: %s', (options, message) => {
  expect(create(options)).toThrow(new TypeError(message));
});

test.each([null, 'pst_test', 5])('options that are no object are refused: %p', async (options) => {
  const message = 'options must be a plain object';
  expect(() => createPetstore(options as unknown as object)).toThrow(new TypeError(message));
  const { listOrders } = createPetstore({ apiKey: 'pst_test' });
  const refusal = { name: 'InputError', message: `listOrders: ${message}`, attempts: 0 };
  await expect(listOrders({}, options as unknown as object)).rejects.toMatchObject(refusal);
});

test('wrong options of a call are refused, and nothing is sent', async () => {
  await startServer(after());
  const petstore = createPetstore({ apiKey: 'pst_test', baseUrl: server.baseUrl });
  const call = (options: object) => petstore.listOrders({}, options);
  await expect(call({ timeout: -1 })).rejects.toMatchObject({
    name: 'InputError',
    message: 'listOrders: timeout must be a number of milliseconds above 0',
  });
  for (const signal of [{}, null])
    await expect(call({ signal })).rejects.toThrow('listOrders: signal must be an AbortSignal');
  expect(server.requests).toEqual([]);
  expect(await petstore.listOrders()).toEqual([]);
});

describe('the environment', () => {
  test('gives the key and the address, and options come before it', async () => {
    const keys: unknown[] = [];
    await startServer((request, response) => {
      keys.push(request.headers.authorization);
      json(response, 200, []);
    });
    process.env['PETSTORE_API_KEY'] = 'pst_environment';
    process.env['PETSTORE_BASE_URL'] = server.baseUrl;
    await createPetstore().listOrders();
    await createPetstore({ apiKey: 'pst_option' }).listOrders();
    expect(keys).toEqual(['Bearer pst_environment', 'Bearer pst_option']);
    const urls: string[] = [];
    const fetch = (url: string) => {
      urls.push(url);
      return Promise.resolve(Response.json([]));
    };
    await createPetstore({ environment: 'staging', fetch }).listOrders();
    expect(urls).toEqual(['https://staging.petstore.example/v1/store/orders']);
  });

  test('PETSTORE_LOG=debug writes to standard error, without keys', async () => {
    const written: unknown[] = [];
    jest.spyOn(console, 'error').mockImplementation((...args) => void written.push(args));
    await startServer((request, response, count) =>
      count === 1
        ? refuse(response, 503, 'service_unavailable', { 'retry-after': 0 })
        : json(response, 200, [], { 'x-echo': String(request.headers.authorization) }),
    );
    process.env['PETSTORE_LOG'] = 'debug';
    const headers = { 'x-token': 'hush' };
    jest.spyOn(Math, 'random').mockReturnValue(0);
    await createPetstore({ apiKey: 'pst_secret', baseUrl: server.baseUrl, headers }).listOrders();
    const url = `${server.baseUrl}/store/orders`;
    expect(written).toMatchObject([
      ['petstore: request', { operation: 'listOrders', method: 'GET', url, attempt: 1 }],
      ['petstore: onResponse', { status: 503, requestId: 'request-1' }],
      ['petstore: onRetry', { attempt: 1, delay: 0, status: 503 }],
      ['petstore: request', { attempt: 2 }],
      ['petstore: onResponse', { attempt: 2, status: 200 }],
    ]);
    expect(JSON.stringify(written)).not.toMatch(/pst_secret|hush/);
  });
});

describe('an address of the page’s own origin', () => {
  afterEach(() => void Reflect.deleteProperty(globalThis, 'location'));

  test('may be relative, and needs no key, because a proxy adds it', async () => {
    const keys: unknown[] = [];
    await startServer((request, response) => {
      keys.push(request.headers.authorization);
      json(response, 200, []);
    });
    const location = new URL(server.baseUrl.replace('/v1', '/index.html'));
    Object.assign(globalThis, { location });
    expect(await createPetstore({ baseUrl: '/proxy/v1' }).listOrders()).toEqual([]);
    expect(server.requests).toEqual(['GET /proxy/v1/store/orders']);
    expect(keys).toEqual([undefined]);
    expect(() => createPetstore({ environment: 'production' })).toThrow('apiKey is missing');
  });
});

describe('a function for the key', () => {
  const refusing = (isKnown: (key: string | undefined) => boolean) =>
    startServer((request, response) =>
      isKnown(request.headers.authorization)
        ? json(response, 200, [])
        : refuse(response, 401, 'unauthorized'),
    );

  test('is asked once, and again after a 401, by one of the calls that meet it', async () => {
    let current = 'pst_1';
    await refusing((key) => key === `Bearer ${current}`);
    const apiKey = jest.fn(() => Promise.resolve(current));
    const petstore = createPetstore({ apiKey, baseUrl: server.baseUrl });
    await petstore.listOrders();
    await petstore.listOrders();
    expect(apiKey).toHaveBeenCalledTimes(1);
    current = 'pst_2';
    await Promise.all([petstore.listOrders(), petstore.listOrders(), petstore.listOrders()]);
    expect(apiKey).toHaveBeenCalledTimes(2);
  });

  test('is asked again once per call, however few attempts there are', async () => {
    await refusing(() => false);
    const apiKey = jest.fn(() => 'pst_1');
    const petstore = createPetstore({ apiKey, baseUrl: server.baseUrl, maxAttempts: 1 });
    await expect(petstore.listOrders()).rejects.toMatchObject({ status: 401, attempts: 2 });
    expect(apiKey).toHaveBeenCalledTimes(2);
  });

  test('that fails, or gives no key, fails the call, and is asked again by the next', async () => {
    await refusing(() => true);
    const apiKey = jest
      .fn<string, []>(() => 'pst_1')
      .mockImplementationOnce(() => {
        throw new Error('the vault is closed');
      })
      .mockImplementationOnce(() => 'pst_1\n');
    const petstore = createPetstore({ apiKey, baseUrl: server.baseUrl });
    const code = 'callback_failed';
    await expect(petstore.listOrders()).rejects.toMatchObject({
      code,
      attempts: 0,
      message: 'listOrders: apiKey failed: the vault is closed',
    });
    await expect(petstore.listOrders()).rejects.toMatchObject({
      code,
      message: expect.stringContaining('apiKey must be the key alone') as unknown,
    });
    expect(await petstore.listOrders()).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
});
