import { once } from 'node:events';
import http from 'node:http';
import type { JsonObject } from '@kit/contract/json-pointer';
import { contract, operations } from '@petstore/contract';
import express from 'express';
import fc from 'fast-check';
import { ApiError, createRequestValidator } from '@kit/server/internals';
import { listen } from '@kit/server/testing';
import { inputsOf } from './fuzz/inputs.ts';
import { operationsIn } from './fuzz/operations.ts';

/* What the contract may say of parameters, tried on the list of orders, which has none. */

const query = (name: string, schema: object, more: object = {}) => ({ name, in: 'query', schema, ...more });
const header = (name: string, schema: object, more: object = {}) => ({ name, in: 'header', schema, ...more });

const PARAMETERS = [
  query('kind', { type: 'string', enum: ['dog', 'cat'] }),
  query('name', { type: 'string', maxLength: 3 }),
  query('limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
  query('price', { type: 'number' }),
  query('sold', { type: 'boolean' }),
  query('born', { type: 'string', format: 'date' }),
  query('at', { type: 'string', format: 'time' }),
  query('age', { type: ['integer', 'null'] }),
  { $ref: '#/components/parameters/After' },
  query('tag', { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 3, uniqueItems: true }),
  query('id', { type: 'array', items: { $ref: '#/components/schemas/Id' }, uniqueItems: true }),
  query('color', { type: 'array', items: { type: 'string' } }, { explode: false }),
  header('X-Tenant', { type: 'string', format: 'uuid' }),
  header('X-Depth', { type: 'integer', minimum: 0, default: 1 }),
  header('X-Snapshot', { $ref: '#/components/schemas/Id' }),
];

const { listOrders } = operations;
const { path, method } = listOrders;

/** The contract, where the list of orders has `parameters` of its own, and its path is a reference. */
function withParameters(parameters: readonly object[]) {
  const document = structuredClone(contract.document) as {
    paths: Record<string, Record<string, object>>;
    components: Record<string, Record<string, unknown>>;
  };
  const { paths, components } = document;
  components['schemas'] = {
    ...components['schemas'],
    Id: { $ref: '#/components/schemas/Int64' },
    Int64: { type: 'integer', format: 'int64', minimum: 1 },
  };
  components['parameters'] = {
    After: query('after', { type: 'integer', format: 'int64', default: 0 }),
  };
  components['pathItems'] = {
    Orders: {
      parameters: parameters.slice(0, 2),
      [method.toLowerCase()]: paths[path]?.[method.toLowerCase()],
    },
  };
  Object.assign(paths[path]?.[method.toLowerCase()] ?? {}, { parameters: parameters.slice(2) });
  document.paths = { [path]: { $ref: '#/components/pathItems/Orders' as unknown as object } };
  return { ...contract, operations: { listOrders }, document: document as unknown as JsonObject };
}

let origin: string;

beforeAll(async () => {
  origin = await serve(PARAMETERS);
});

/** Serves a list of orders that takes `parameters`, and echoes them. Resolves to the origin. */
async function serve(parameters: readonly object[]): Promise<string> {
  const validate = await createRequestValidator(withParameters(parameters));
  const app = express().use(async (req, res) => {
    const reply = (status: number, value: unknown) => {
      res.writeHead(status);
      res.end(
        JSON.stringify(value, (_key, each: unknown) =>
          each === undefined || typeof each === 'bigint' ? `${each}n` : each,
        ),
      );
    };
    try {
      const input = await validate(req, { operationId: 'listOrders', pathParams: {} });
      reply(200, { ...input.query, ...input.headers });
    } catch (error) {
      reply(error instanceof ApiError ? error.status : 500, (error as Error).message);
    }
  });
  return listen(app);
}

/** What the handler would be given of these, or what the request is refused with. */
async function received(search: string, headers: [string, string][] = [], at = origin): Promise<unknown> {
  // A connection each: one that is kept may be closed as idle while fast-check takes up the event loop.
  const options = { method, headers: ['Host', 'x', ...headers.flat()], agent: false };
  const req = http.request(at + path + search, options);
  const [response] = (await once(req.end(), 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const value = JSON.parse(text) as object;
  return response.statusCode === 200 ? value : [response.statusCode, value];
}

const DEFAULTS = { limit: 20, after: '0n', 'X-Depth': 1 };

test('what is not sent is absent, or has the default of the contract', async () => {
  expect(await received('')).toEqual(DEFAULTS);
  expect(await received('?&')).toEqual(DEFAULTS);
});

test.each([
  ['?kind=cat', { kind: 'cat' }],
  ['?name=a%26b', { name: 'a&b' }],
  ['?name=a+b', { name: 'a b' }],
  ['?name=', { name: '' }],
  ["?name=:'@", { name: ":'@" }],
  ['?limit=100', { limit: 100 }],
  ['?price=-1.5e-7', { price: -1.5e-7 }],
  ['?sold=false', { sold: false }],
  ['?born=2026-11-22', { born: '2026-11-22' }],
  ['?at=12:00:00%2B02:00', { at: '12:00:00+02:00' }],
  ['?age=', { age: null }],
  ['?age', { age: null }],
  ['?after=-9223372036854775808', { after: '-9223372036854775808n' }],
  ['?%61fter=9007199254740993', { after: '9007199254740993n' }],
  ['?tag=a', { tag: ['a'] }],
  ['?tag=a,b&tag=c', { tag: ['a,b', 'c'] }],
  ['?id=9007199254740993&id=9007199254740992', { id: ['9007199254740993n', '9007199254740992n'] }],
  ['?color=a,b%2Cc,', { color: ['a', 'b,c', ''] }],
])('%s is read exactly', async (search, values) => {
  expect(await received(search)).toEqual({ ...DEFAULTS, ...values });
});

test.each([
  ['?page=2', "Unknown query parameter 'page'."],
  ['?Kind=cat', "Unknown query parameter 'Kind'."],
  ['?[kind]=cat', "Unknown query parameter '[kind]'."],
  ['?kind[]=cat', "Unknown query parameter 'kind[]'."],
  ['?tag[0]=a', "Unknown query parameter 'tag[0]'."],
  ['?a[__proto__]=1', "Unknown query parameter 'a[__proto__]'."],
  ['?__proto__=1', "Unknown query parameter '__proto__'."],
  ['?=1', "Unknown query parameter ''."],
  ['?kind=cow', 'kind must be equal to one of the allowed values: dog, cat.'],
  ['?kind=cat&kind=cat', 'kind is sent twice.'],
  ['?color=a&color=b', 'color is sent twice.'],
  ['?name=abcd', 'name must NOT have more than 3 characters.'],
  ['?name=%', 'The query is not percent-encoded correctly (RFC 3986 §2.1).'],
  ['?limit=101', 'limit must be <= 100.'],
  ['?limit=01', 'limit must be integer.'],
  ['?limit=1e1', 'limit must be integer.'],
  ['?limit=9007199254740993', 'limit must be integer.'],
  ['?limit=', 'limit must be integer.'],
  ['?price=0x10', 'price must be number.'],
  ['?price=1e999', 'price must be number.'],
  ['?price=9007199254740993', 'price must be number.'],
  ['?sold=1', 'sold must be boolean.'],
  ['?born=2026-13-01', 'born must match format "date".'],
  ['?at=12:00:00%2B02', 'at must match format "time".'],
  ['?age=null', 'age must be integer.'],
  ['?after=01', 'after must be a 64-bit decimal integer.'],
  ['?after=9223372036854775808', 'after must be a 64-bit decimal integer.'],
  ['?id=1&id=0', 'id must be >= 1.'],
  ['?id=1&id=1', 'id must NOT have duplicate items (items ## 1 and 0 are identical).'],
  ['?tag=a&tag=', 'tag must NOT have fewer than 1 characters.'],
  ['?tag=1&tag=2&tag=3&tag=4', 'tag must NOT have more than 3 items.'],
])('%s is refused', async (search, message) => {
  expect(await received(search)).toEqual([400, message]);
});

test('reads every value of a long list', async () => {
  const ids = Array.from({ length: 1_500 }, (_, index) => String(index + 1));
  const values = { id: ids.map((id) => `${id}n`) };
  expect(await received(`?${ids.map((id) => `id=${id}`).join('&')}`)).toEqual({ ...DEFAULTS, ...values });
});

test('names of headers are compared without regard to case, and keep that of the contract', async () => {
  const tenant = '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a';
  expect(
    await received('', [
      ['x-TENANT', tenant],
      ['X-DEPTH', '3'],
      ['x-snapshot', '9007199254740993'],
    ]),
  ).toEqual({ ...DEFAULTS, 'X-Tenant': tenant, 'X-Depth': 3, 'X-Snapshot': '9007199254740993n' });
});

test.each<[[string, string][], string]>([
  [[['x-tenant', 'me']], 'X-Tenant must match format "uuid".'],
  [[['x-depth', '-1']], 'X-Depth must be >= 0.'],
  [[['x-depth', '1.5']], 'X-Depth must be integer.'],
  [[['x-snapshot', '01']], 'X-Snapshot must be a 64-bit decimal integer.'],
  [
    [
      ['x-depth', '1'],
      ['X-Depth', '1'],
    ],
    'X-Depth is sent twice.',
  ],
])('the headers %j are refused', async (headers, message) => {
  expect(await received('', headers)).toEqual([400, message]);
});

test.each([
  ['a query', query('page', { type: 'integer' }, { required: true }), 'page is missing.'],
  ['a header', header('X-Page', { type: 'integer' }, { required: true }), 'X-Page is missing.'],
])('a required parameter of %s that is missing is told by its name', async (_place, parameter, message) => {
  expect(await received('', [], await serve([parameter]))).toEqual([400, message]);
});

test('what the fuzzer makes of the contract is accepted and refused as the contract says', async () => {
  const operation = operationsIn(withParameters(PARAMETERS).document).find(({ id }) => id === 'listOrders');
  if (!operation) throw new Error('the fuzzer does not find the operation');
  const { fitting, unfitting = fitting } = inputsOf(operation);
  await fc.assert(
    fc.asyncProperty(fc.oneof(fitting, unfitting), async ({ target, headers, verdict }) => {
      if (verdict === 'either') return;
      const search = target.includes('?') ? target.slice(target.indexOf('?')) : '';
      const refused = Array.isArray(await received(search, [...headers] as [string, string][]));
      expect(refused ? 'invalid' : 'valid').toBe(verdict);
    }),
    { seed: 20261122, numRuns: 500 },
  );
});
