import { createFakePetstore } from '@petstore/client/testing';
import { createClock, type TestClock } from '@contract-kit/testing';
import { startTestService } from '@petstore/server/testing';

/* The client's fake keeps the same promises as the service. */

const DAY = 24 * 60 * 60_000;
const orders = [{ id: 1, petId: 12, quantity: 1 }, { id: 2 }];

interface Target {
  readonly clock: TestClock;
  /** An unused key of the Free plan. */
  newKey(): Promise<string>;
  request(path: string, init?: RequestInit): Promise<Response>;
}

async function service(): Promise<Target> {
  const running = await startTestService();
  await running.addOrders(orders);
  await running.addPets([{ id: 12, name: 'Rex' }]);
  return { ...running, newKey: () => running.key('free') };
}

function fake(): Target {
  const clock = createClock();
  const answers = { listOrders: { body: orders } };
  const { fetch } = createFakePetstore({ answers, plan: 'free', keys: ['pst_free'], clock: { now: clock } });
  return {
    clock,
    newKey: () => Promise.resolve('pst_free'),
    request: (path, init) => fetch(`https://petstore.example${path}`, init),
  };
}

type Sent = Readonly<Record<string, string>>;
type Request = [method: string, path: string];
/** A request and its response. `sent` are headers of the request. */
type Row = [...Request, status: number, code?: string | undefined, headers?: object, sent?: Sent];

const deprecation = {
  deprecation: '@1793491200',
  sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
  link: '</docs#getPet>; rel="deprecation"; type="text/html", </docs#getPet>; rel="sunset"; type="text/html"',
};
const challenge = { 'www-authenticate': expect.stringMatching(/^Bearer realm="petstore"/) as unknown };
const allowing = (methods: string) => ({
  allow: expect.stringMatching(`^${methods}(, \\w+)*, OPTIONS$`) as unknown,
});
const json = { 'content-type': 'application/json; charset=utf-8' };
const none = { authorization: '' };

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

  async function send(method: string, path: string, headers: Sent = {}) {
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

  test.each<Row>([
    ['GET', '/v1/store/orders', 200, undefined, json],
    ['HEAD', '/v1/store/orders', 200, undefined, json],
    ['DELETE', '/v1/store/orders/1', 204],
    ['DELETE', '/v1/store/orders/%31', 204],
    ['GET', '/v1/pets/12', 200, undefined, deprecation],
    ['OPTIONS', '/v1/store/orders', 204, undefined, allowing('GET, HEAD'), none],
    ['OPTIONS', '/v1/store/orders/1', 204, undefined, allowing('(\\w+, )*DELETE'), none],
    ['PROPFIND', '/v1/store/orders', 405, 'method_not_allowed', allowing('GET, HEAD')],
    ['PROPFIND', '/v1/store/orders/1', 405, 'method_not_allowed', allowing('(\\w+, )*DELETE')],
    ['PROPFIND', '/v1/pets/1', 405, 'method_not_allowed', allowing('GET, HEAD')],
    ['GET', '/v1/store/orders', 401, 'unauthorized', challenge, none],
    ['GET', '/v1/store/orders', 401, 'unauthorized', challenge, { authorization: 'Bearer pst_none' }],
    ['GET', '/v1/pets/12', 401, 'unauthorized', deprecation, none],
    ['GET', '/v1/store/orders?page=2', 400, 'invalid_request'],
    ['DELETE', '/v1/store/orders/1?force=true', 400, 'invalid_request'],
    ['GET', '/v1/pets/1?page=2', 400, 'invalid_request', deprecation],
    ...['01', '-0', '1e3', '%201', '9223372036854775808', '%zz', '%c3%28'].map((id): Row => [
      'DELETE',
      `/v1/store/orders/${id}`,
      400,
      'invalid_request',
    ]),
    ...['/v1', '/v1/', '/v1/store', '/v1/store/orders/', '/v1/store/orders/1/2', '/v1/store/Orders'].map(
      (path): Row => ['GET', path, 404, 'not_found'],
    ),
  ])('responds to %s %s with %i %s', async (method, path, status, ...[code, headers = {}, sent]) => {
    const response = await send(method, path, sent);
    expect(response).toMatchObject({ status, headers });
    if (code) expect(response.body).toEqual({ code, status, message: expect.any(String) as unknown });
    else if (method === 'GET' && path.endsWith('orders')) expect(response.body).toEqual(orders);
    else if (method !== 'GET') expect(response.body).toBeUndefined();
    expect(response.headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^\S+$/) as unknown,
      'x-ratelimit-limit': '60',
      // An OPTIONS request needs no key and is not counted.
      'x-ratelimit-remaining': method === 'OPTIONS' ? '60' : '59',
      'x-ratelimit-reset': secondsOn(60),
      date: expect.any(String) as unknown,
    });
  });

  test('responds with 404 outside the API, without limits', async () => {
    const response = await send('GET', '/v2/store/orders');
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(response.headers).not.toHaveProperty('x-ratelimit-limit');
  });

  const use = async (times: number) => {
    for (let count = 0; count < times; count++) await send('GET', '/v1/pets/12');
  };

  test('refuses requests beyond the quota until the minute ends, without counting them', async () => {
    await use(60);
    target.clock.advance(42_500);
    expect(await send('DELETE', '/v1/store/orders/abc')).toMatchObject({
      status: 429,
      body: { code: 'rate_limit_exceeded' },
      headers: { 'retry-after': '18', 'x-ratelimit-remaining': '0' },
    });
    target.clock.advance(17_499);
    expect(await send('GET', '/v1/pets/12')).toMatchObject({ status: 429 });
    target.clock.advance(1);
    const first = { 'x-ratelimit-remaining': '59' };
    expect(await send('GET', '/v1/pets/12')).toMatchObject({ status: 200, headers: first });
  });

  test('bans a key for fifteen minutes when its refusals reach its quota', async () => {
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

  test('counts requests without a valid key separately, and never bans for them', async () => {
    for (let count = 0; count < 125; count++)
      await send('GET', '/v1/pets/12', { authorization: `Bearer pst_${count}` });
    expect(await send('GET', '/v1/pets/12', none)).toMatchObject({
      status: 429,
      body: { code: 'rate_limit_exceeded' },
    });
    expect(await send('GET', '/v1/pets/12')).toMatchObject({ status: 200 });
  });
});

/* The order of the stages, too: a request that is wrong in several ways gets the error of the first. */
const METHODS = ['GET', 'PROPFIND', 'OPTIONS'];
const PATHS = [
  '/v1/store/orders',
  '/v1/store/orders?page=2',
  '/v1/pets/abc',
  '/v1/pets/%zz',
  '/v1/nothing',
  '/v1/%zz',
  '/elsewhere/%zz',
];
const KEYS = { 'no key': '', 'an unknown key': 'Bearer pst_none', 'another scheme': 'Basic cHN0' };
let inService: Promise<Target>;
beforeAll(() => (inService = service()));
const wrongRequests = METHODS.flatMap((method) =>
  PATHS.flatMap((path) =>
    Object.entries(KEYS).map(([key, authorization]) => ({ method, path, key, authorization })),
  ),
);

test.each(wrongRequests)(
  'say the same of $method $path with $key',
  async ({ method, path, authorization }) => {
    const [real, made] = await Promise.all(
      [await inService, fake()].map(async (target) => {
        const response = await target.request(path, {
          method,
          headers: authorization ? { authorization } : {},
        });
        const { allow, 'www-authenticate': challenge } = Object.fromEntries(response.headers);
        return { status: response.status, allow, challenge, body: await response.text() };
      }),
    );
    expect(made).toEqual(real);
  },
);
