import { startForCheck } from '../src/checking.ts';
import type { ErrorBodyMaker } from '../src/index.ts';
import { notYet, type AnyHandler } from '../src/pipeline/dispatch.ts';
import { contractFrom, openContract, openErrorBody } from '@contract-kit/test-support/contracts';
import { newFolder } from '@contract-kit/test-support/testing';

const contract = openContract();

/** The next response of every handler. */
let answer: unknown;
let service: Awaited<ReturnType<typeof startForCheck>>;

beforeAll(async () => {
  const handlerOf = () => (() => answer) as AnyHandler;
  service = await startForCheck(contract, {
    dataDir: newFolder(),
    handlerOf,
    errorBody: openErrorBody,
  });
});

afterAll(() => service.stop());

const shelves = (key: string, origin = service.origin, query = '') =>
  fetch(`${origin}/api/shelves/${query}`, { headers: { Authorization: `Bearer ${key}` } });

test.each(['/docs', '/docs.md', '/llms.txt', '/openapi.json', '/openapi.yaml'])(
  'the contract is served at %s',
  async (page) => {
    const response = await fetch(service.origin + page);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/Open shelves/);
  },
);

test('an app may define its error bodies, and does not start if they violate the contract', async () => {
  const startWith = (title: string | number) =>
    startForCheck(contract, {
      dataDir: newFolder(),
      handlerOf: () => notYet,
      errorBody: ({ status, message }, operationId) => ({
        title,
        status,
        detail: `${operationId}: ${message}`,
      }),
    });
  const { origin, stop } = await startWith('Ours');
  const response = await shelves('guess', origin, '?unknown=1');
  expect(await response.json()).toMatchObject({
    title: 'Ours',
    detail: expect.stringMatching(/^listShelves: /) as string,
  });
  await stop();
  await expect(startWith(1)).rejects.toThrow(
    /^errorBody of defineService does not fit \d+ responses: .*GET \/shelves\/ 4XX \(/,
  );
});

test('a service whose errors have other fields does not start without errorBody, and says what to do', async () => {
  await expect(startForCheck(contract, { dataDir: newFolder(), handlerOf: () => notYet })).rejects.toThrow(
    /^nothing makes the errors of \d+ responses: GET \/shelves\/ 4XX .*error-body\.ts/,
  );
});

test('without plans, a 429 of an operation that needs no key may have any shape: it is never sent', async () => {
  const wait = { type: 'integer', minimum: 2, maximum: 1 };
  const schema = { type: 'object', required: ['wait'], properties: { wait } };
  const ofType = (schema: object) => ({ description: 'Wait.', content: { 'application/json': { schema } } });
  const usual = ofType({ $ref: '#/components/schemas/Failure' });
  const Failure = { type: 'object', properties: { message: { type: 'string' } } };
  const startWith = (security: object[]) => {
    const responses = { 200: { description: 'The shop.' }, 429: ofType(schema), '4XX': usual, '5XX': usual };
    const text = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1.0.0' },
      paths: { '/shop': { get: { security, responses } } },
      components: {
        schemas: { Failure },
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      },
    });
    const errorBody: ErrorBodyMaker = ({ message }) => ({ message });
    return startForCheck(contractFrom(text), { dataDir: newFolder(), handlerOf: () => notYet, errorBody });
  };
  await (await startWith([])).stop();
  await expect(startWith([{ key: [] }])).rejects.toThrow(/GET \/shop 429/);
});

test('a path that cannot be decoded gets the error that its operation declares', async () => {
  const errorWith = (name: string, type: string) => ({
    description: 'Wrong.',
    content: {
      'application/json': { schema: { type: 'object', required: [name], properties: { [name]: { type } } } },
    },
  });
  const usual = errorWith('message', 'string');
  const own = { 204: { description: 'Done.' }, 400: errorWith('errors', 'object'), default: usual };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {
      '/shops': { get: { responses: { 204: { description: 'Done.' }, default: usual } } },
      '/shops/{id}': { get: { parameters, responses: own } },
    },
  });
  const shop = await startForCheck(contractFrom(text), {
    dataDir: newFolder(),
    handlerOf: () => notYet,
    errorBody: ({ message, status }, operationId) =>
      status === 400 && operationId === 'getShopsById' ? { errors: { message } } : { message },
  });
  const response = await fetch(`${shop.origin}/shops/%`).finally(() => shop.stop());
  expect([response.status, Object.keys((await response.json()) as object)]).toEqual([400, ['errors']]);
});

test('a key without a required scope gets 403 (RFC 6750 §3.1)', async () => {
  answer = { status: 204 };
  const withKey = (key: string, query = '') =>
    fetch(`${service.origin}/api/forms${query}`, {
      method: 'POST',
      body: 'Hello',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/plain' },
    });
  const [none, some, all] = [await service.newKey([]), await service.newKey(['write']), service.key];
  for (const key of [none, some]) {
    const response = await withKey(key);
    expect([response.status, await response.json()]).toMatchObject([403, { title: 'insufficient_scope' }]);
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="shelves", error="insufficient_scope", scope="write shelves:read"',
    );
  }
  expect((await withKey(all)).status).toBe(204);
  expect((await withKey(none, `?api_key=${none}`)).status).toBe(403);
});

test('an open operation recognizes a key in the query', async () => {
  answer = { status: 200, body: 'Hello' };
  const statusOf = async (query: string) => (await fetch(`${service.origin}/api/${query}`)).status;
  expect([await statusOf(`?api_key=${service.key}`), await statusOf('?api_key=none')]).toEqual([200, 200]);
  expect(await statusOf('?apikey=none')).toBe(400);
});

test.each([
  // Not names of a deepObject.
  'filter[size=1',
  'filter[size]]=1',
  'filter[size].x=1',
  // A value and an object, and a value twice.
  'filter[size]=1&filter[size][x]=2',
  'filter[size][x]=2&filter[size]=1',
  'filter[tag]=a&filter[tag][]=b',
])('GET /shelves/?%s is rejected: nothing that was sent is left out', async (query) => {
  answer = { status: 200, headers: { 'X-Total': 0 }, body: [] };
  expect((await shelves(service.key, service.origin, '?filter[size]=1')).status).toBe(200);
  expect((await shelves(service.key, service.origin, `?${query}`)).status).toBe(400);
});

test('a status in a declared range has its media type, and without plans there is no quota', async () => {
  answer = { status: 201, headers: { 'X-Total': 1 }, body: [{ name: 'a', size: 'large' }] };
  const { headers, status } = await shelves(service.key);
  expect([status, headers.get('content-type'), headers.get('x-ratelimit-limit')]).toEqual([
    201,
    'application/hal+json',
    null,
  ]);
  expect(headers.get('x-request-id')).not.toBeNull();
});

test('without plans, only addresses that send invalid keys are limited', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 65; count += 1) statuses.push((await shelves('guess')).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect((await shelves(service.key)).status).toBe(201);
});
