import { createFakePetstore } from '@petstore/client/testing';
import type { ErrorCode } from '@petstore/contract';
import { createClock, startTestService, type TestClock } from './support/service.ts';

/* The fake that the client brings for tests, and the service that it stands for: the same promises, made to both. */

const DAY = 24 * 60 * 60_000;
const FIRST = { id: 1, petId: 12, quantity: 1, shipDate: '2026-11-24T09:00:00.000Z', complete: false };

const orders = [
  { id: 4, status: 'cancelled' },
  { id: 2, petId: 7, complete: true, status: 'shipped' },
  { ...FIRST, status: 'pending' },
  { id: Number.MAX_SAFE_INTEGER },
] as const;
const pets = [{ id: 12, name: 'Rex' }, { id: 13 }];

/** The methods that a path has, and some that it does not. */
const ALLOWED = {
  '/v1/store/orders': { allow: 'GET, HEAD, OPTIONS', others: ['POST', 'PUT', 'DELETE', 'PROPFIND'] },
  '/v1/store/orders/1': { allow: 'DELETE, OPTIONS', others: ['GET', 'PATCH'] },
  '/v1/store/orders/abc': { allow: 'DELETE, OPTIONS', others: ['POST'] },
  '/v1/pets/1': { allow: 'GET, HEAD, OPTIONS', others: ['DELETE'] },
};

const LARGEST = '9223372036854775807';
const NOWHERE = [
  ...['/v1', '/v1/', '/v1/store', '/v1/store/orders/', '/v1/store/orders/1/', '/v1/store/orders/1/2'],
  ...['/v1/store/Orders', '/v1/Store/orders', '/v1/pets', '/v1/pets/', '/v1//store/orders'],
  ...['/v1/store%2Forders', '/v1/unknown?page=2'],
];

/** Method and path, what is answered, and headers that are sent. */
type Row = [method: string, path: string, expected: object, headers?: Record<string, string>];

interface Target {
  readonly clock: TestClock;
  /** A key of the Free plan, of which nothing is used up. */
  newKey(): Promise<string>;
  request(path: string, init?: RequestInit): Promise<Response>;
}

async function service(): Promise<Target> {
  const running = await startTestService();
  await running.addOrders(orders);
  await running.addPets(pets);
  return { ...running, newKey: () => running.key('free') };
}

function fake(): Target {
  const clock = createClock();
  const { fetch } = createFakePetstore({
    orders,
    pets,
    plan: 'free',
    keys: ['pst_free'],
    clock: { now: clock, sleep: () => Promise.resolve() },
  });
  return {
    clock,
    newKey: () => Promise.resolve('pst_free'),
    request: (path, init) => fetch(`https://petstore.example${path}`, init),
  };
}

describe.each([
  ['service', service],
  ['fake', fake],
])('the %s', (_name, start) => {
  let target: Target;
  let key: string;

  beforeAll(async () => {
    target = await start();
  });
  beforeEach(async () => {
    target.clock.advance(DAY);
    key = await target.newKey();
  });

  async function send(method: string, path: string, headers: Record<string, string> = {}) {
    const authorization = `Bearer ${key}`;
    const response = await target.request(path, { method, headers: { authorization, ...headers } });
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  }

  const secondsOn = (seconds: number) => String(Math.ceil(target.clock() / 1000) + seconds);
  const error = (code: ErrorCode, status: number, message: string) => ({
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: { code, status, message },
  });
  const unauthorized = (message: string, challenge: string) => {
    const { headers, ...rest } = error('unauthorized', 401, message);
    return { ...rest, headers: { ...headers, 'www-authenticate': challenge } };
  };
  const notAllowed = (method: string, allow: string) => {
    const message = `${method} is not allowed here. Allowed: ${allow}.`;
    const { headers, ...rest } = error('method_not_allowed', 405, message);
    return { ...rest, headers: { ...headers, allow } };
  };
  const nothing = error('not_found', 404, 'There is nothing at this path.');
  const deprecation = {
    deprecation: '@1793491200',
    sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
    link: '</docs#getPet>; rel="deprecation"; type="text/html", </docs#getPet>; rel="sunset"; type="text/html"',
  };
  const missing = 'The API key is missing: send it as `Authorization: Bearer <API_KEY>`.';
  const invalid = 'The API key is invalid: unknown or revoked.';
  const encoding = 'The path is not percent-encoded correctly (RFC 3986 §2.1).';
  const inexact = (name: string) =>
    error('invalid_request', 400, `${name} must be a 64-bit decimal integer.`);
  const noOrder = (id: string) => error('order_not_found', 404, `No order has the id ${id}.`);

  const deprecated = ({ headers, ...rest }: ReturnType<typeof error>) => ({
    ...rest,
    headers: { ...headers, ...deprecation },
  });

  test.each<Row>([
    [
      'GET',
      '/v1/store/orders',
      {
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: [FIRST, { id: 2, petId: 7, complete: true }, { id: 4 }, { id: Number.MAX_SAFE_INTEGER }],
      },
    ],
    [
      'HEAD',
      '/v1/store/orders',
      { status: 200, body: undefined, headers: { 'content-type': 'application/json; charset=utf-8' } },
    ],
    ['GET', '/v1/store/orders?page=2', error('invalid_request', 400, "Unknown query parameter 'page'.")],
    ['GET', '/v1/store/orders', { status: 200 }, { 'X-Request-Id': 'mine-1' }],
    ['GET', '/v1/store/orders', unauthorized(missing, 'Bearer realm="petstore"'), { authorization: '' }],
    [
      'GET',
      '/v1/store/orders',
      unauthorized(missing, 'Bearer realm="petstore"'),
      { authorization: 'Basic cGV0' },
    ],
    [
      'GET',
      '/v1/store/orders',
      unauthorized(invalid, 'Bearer realm="petstore", error="invalid_token"'),
      { authorization: 'Bearer pst_none' },
    ],
    ...Object.entries(ALLOWED).flatMap(([path, { allow, others }]) => [
      ['OPTIONS', path, { status: 204, body: undefined, headers: { allow } }, { authorization: '' }] as Row,
      ...others.map((method) => [method, path, notAllowed(method, allow)] as Row),
      ...(others.includes('GET')
        ? [['HEAD', path, { status: 405, body: undefined, headers: { allow } }] as Row]
        : []),
    ]),
    ['DELETE', '/v1/store/orders/1', { status: 204, body: undefined }],
    ['DELETE', '/v1/store/orders/4', { status: 204, body: undefined }],
    ['DELETE', '/v1/store/orders/9007199254740991', { status: 204, body: undefined }],
    [
      'DELETE',
      '/v1/store/orders/2',
      error('order_already_shipped', 409, 'Order 2 has already shipped; shipping cannot be reversed.'),
    ],
    ...['4711', '0', '-1', '9007199254740992', '9007199254740993', LARGEST, `-${LARGEST.slice(0, -1)}8`].map(
      (id) => ['DELETE', `/v1/store/orders/${id}`, noOrder(id)] as Row,
    ),
    ...['01', '+1', '-0', '1.0', '1e3', '0x10', '%201', 'abc', '9223372036854775808'].map(
      (id) => ['DELETE', `/v1/store/orders/${id}`, inexact('orderId')] as Row,
    ),
    ['DELETE', '/v1/store/orders/%31', { status: 204, body: undefined }],
    ...['DELETE', 'OPTIONS'].map(
      (method) => [method, '/v1/store/orders/%zz', error('invalid_request', 400, encoding)] as Row,
    ),
    ['DELETE', '/v1/store/orders/x?force=true', inexact('orderId')],
    [
      'DELETE',
      '/v1/store/orders/1?force=true',
      error('invalid_request', 400, "Unknown query parameter 'force'."),
    ],
    ['GET', '/v1/pets/12', { status: 200, headers: deprecation, body: { id: 12, name: 'Rex' } }],
    ['GET', '/v1/pets/13', { status: 200, headers: deprecation, body: { id: 13 } }],
    ['HEAD', '/v1/pets/12', { status: 200, headers: deprecation, body: undefined }],
    ...['14', '0', '-1', '9223372036854775807'].map(
      (id) =>
        ['GET', `/v1/pets/${id}`, deprecated(error('pet_not_found', 404, `No pet has the id ${id}.`))] as Row,
    ),
    ...['x', '01', '1.0', '9223372036854775808', '1?page=2', '%', '%zz', '%c3%28'].map(
      (id) => ['GET', `/v1/pets/${id}`, { status: 400, headers: deprecation }] as Row,
    ),
    ['GET', '/v1/pets/12', { status: 401, headers: deprecation }, { authorization: '' }],
    ...NOWHERE.map((path) => ['GET', path, nothing] as Row),
  ])('%s %s is answered with %j', async (method, path, expected, ...[headers]) => {
    const answer = await send(method, path, headers);
    expect(answer).toMatchObject(expected);
    // Whole, so that nothing is shown that must not be, such as the status of an order.
    if ('body' in expected) expect(answer.body).toEqual(expected.body);
    if (!path.startsWith('/v1/pets')) expect(answer.headers).not.toHaveProperty('deprecation');
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': headers?.['X-Request-Id'] ?? (expect.stringMatching(/^\S+$/) as string),
      'x-ratelimit-limit': '60',
      // What needs no key is not counted.
      'x-ratelimit-remaining': answer.status === 204 && method === 'OPTIONS' ? '60' : '59',
      'x-ratelimit-reset': secondsOn(60),
      date: expect.any(String) as string,
    });
  });

  test.each(['/store/orders', '/v2/store/orders', '/v1x', '/petstore/v1/store/orders'])(
    'has nothing at %s, which is outside the API',
    async (path) => {
      const { headers, ...answer } = await send('GET', path);
      expect({ ...answer, headers }).toMatchObject(nothing);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      expect(headers).not.toHaveProperty('cache-control');
      expect(headers).not.toHaveProperty('x-ratelimit-limit');
    },
  );

  const use = async (times: number) => {
    for (let count = 0; count < times; count++) await send('GET', '/v1/pets/12');
  };

  test('counts down within a minute, and begins anew after it', async () => {
    await use(10);
    target.clock.advance(59_999);
    expect((await send('GET', '/v1/pets/12')).headers['x-ratelimit-remaining']).toBe('49');
    target.clock.advance(1);
    expect((await send('GET', '/v1/pets/12')).headers['x-ratelimit-remaining']).toBe('59');
  });

  test('refuses what is beyond the quota, without counting it, until the minute is over', async () => {
    await use(60);
    target.clock.advance(42_500);
    expect(await send('DELETE', '/v1/store/orders/abc')).toMatchObject({
      ...error(
        'rate_limit_exceeded',
        429,
        'The limit of 60 requests per minute is used up. Retry in 18 seconds.',
      ),
      headers: { 'retry-after': '18', 'x-ratelimit-remaining': '0', 'cache-control': 'no-store' },
    });
    target.clock.advance(17_500);
    expect(await send('GET', '/v1/pets/12')).toMatchObject({ status: 200 });
  });

  test('bans a key that goes on for as many refusals as its quota, for fifteen minutes', async () => {
    await use(119);
    expect(await send('GET', '/v1/pets/12')).toMatchObject({
      status: 429,
      body: { code: 'api_key_banned' },
      headers: { ...deprecation, 'retry-after': '900', 'x-ratelimit-reset': secondsOn(900) },
    });
    target.clock.advance(899_999);
    expect(await send('GET', '/v1/pets/12')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    target.clock.advance(1);
    expect(await send('GET', '/v1/pets/12')).toMatchObject({ status: 200 });
  });

  test('counts requests without a valid key apart from those with one, and bans nobody for them', async () => {
    for (let count = 0; count < 125; count++)
      await send('GET', '/v1/pets/12', { authorization: `Bearer pst_${count}` });
    expect(await send('GET', '/v1/pets/12', { authorization: '' })).toMatchObject({
      status: 429,
      body: { code: 'rate_limit_exceeded' },
    });
    expect(await send('GET', '/v1/pets/12')).toMatchObject({ status: 200 });
  });
});
