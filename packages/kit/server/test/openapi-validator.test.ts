import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RequestHandler } from 'express';
import type * as openApi from 'express-openapi-validator';
import { startForCheck } from '../src/checking.ts';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { newFolder } from '@contract-kit/test-support/testing';
import { askRaw } from '../src/testing/raw.ts';

/** The middleware, which can be turned off, and the media types that it has seen. */
const mockMiddleware = { isOff: false, note: {}, types: new Set<unknown>() };

jest.mock('express-openapi-validator', () => {
  const actual = jest.requireActual<typeof openApi>('express-openapi-validator');
  const watched = (stage: RequestHandler): RequestHandler => {
    return (req, res, next) => {
      mockMiddleware.types.add(req.headers['content-type']);
      if (!mockMiddleware.isOff) return stage(req, res, next);
      Object.assign(req, mockMiddleware.note);
      next();
      return undefined;
    };
  };
  const middleware = (options: Parameters<typeof openApi.middleware>[0]) =>
    (actual.middleware(options) as RequestHandler[]).map(watched);
  return { ...actual, middleware };
});

/* What express-openapi-validator is left to do, and what is done for it because it would do it wrong. */

const TEXT = { type: 'string' };
const INTEGER = { type: 'integer', 'x-source': { $ref: 'https://library.example/integer' } };
const TEXTS = { type: 'array', items: TEXT, example: [{ $ref: '#/nowhere' }] };
const param = (place: string, name: string, schema: object, more: object = {}) => ({
  ...{ in: place, name, schema, required: place === 'path' },
  ...more,
});
const responses = { 204: { description: 'Done.' } };
const paths = {
  '/shelves': {
    get: {
      responses,
      parameters: [
        param('query', 'count', { ...INTEGER, minimum: 1, maximum: 9 }),
        param('query', 'part', { type: 'number', exclusiveMinimum: 0, multipleOf: 0.1 }),
        param('query', 'kind', { ...TEXT, enum: ['novel', 'poem'] }),
        param('query', 'name', { ...TEXT, minLength: 2, maxLength: 3 }),
        param('query', 'note', TEXT),
        param('query', 'since', { ...TEXT, format: 'date-time' }),
        param('query', 'lent', { type: 'boolean' }),
        param('query', 'edition', { ...INTEGER, format: 'int64', minimum: 1 }),
        param('query', 'code', { ...TEXT, pattern: '^([a-z0-9]+[-_]?)+$' }),
        param('query', 'tags', { ...TEXTS, maxItems: 2 }, { explode: false }),
        param('query', 'filter[age]', INTEGER),
        param('header', 'X-Row', { ...INTEGER, maximum: 9 }),
        param('header', 'constructor', TEXT),
        param('cookie', 'theme', { ...TEXT, enum: ['dark', 'light'] }),
      ],
    },
  },
  '/desks': { get: { responses, parameters: [param('cookie', 'seat', INTEGER, { required: true })] } },
  '/loans (old)/{loan-id}': { get: { responses, parameters: [param('path', 'loan-id', INTEGER)] } },
  '/lists/{ids}': {
    get: {
      responses,
      parameters: [
        param('path', 'ids', { type: 'array', items: INTEGER }),
        param('query', 'filter', { type: 'object', properties: { age: INTEGER } }, { style: 'deepObject' }),
      ],
    },
  },
  '/files/{name}.{type}': {
    get: { responses, parameters: [param('path', 'name', TEXT), param('path', 'type', TEXT)] },
  },
  '/größe {from},{to}': {
    get: { responses, parameters: [param('path', 'from', TEXT), param('path', 'to', INTEGER)] },
  },
};
const document = { openapi: '3.1.0', info: { title: 'Shelves', version: '1.0' }, paths };

const input: { last: unknown } = { last: undefined };
let service: Awaited<ReturnType<typeof startForCheck>>;

beforeAll(async () => {
  const handler = (given: object) => {
    input.last = given;
    return { status: 204 };
  };
  service = await startForCheck(contractFrom(JSON.stringify(document)), {
    dataDir: newFolder(),
    handlerOf: () => handler,
  });
});

afterAll(() => service.stop());

async function ask(target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  input.last = undefined;
  const response = await askRaw(service.origin, {
    method,
    target,
    headers: Object.entries({ ...headers, Authorization: `Bearer ${service.key}` }),
  });
  const text = await response.text();
  return [response.status, text === '' ? input.last : (JSON.parse(text) as { message: string }).message];
}

const invalid = [
  ['/shelves?count=0', {}, 'count must be >= 1.'],
  ['/shelves?count=x', {}, 'count must be integer.'],
  ['/shelves?part=0', {}, 'part must be > 0.'],
  ['/shelves?kind=play', {}, 'kind must be equal to one of the allowed values: novel, poem.'],
  ['/shelves?name=n', {}, 'name must NOT have fewer than 2 characters.'],
  ['/shelves?since=2020-13-01T10:00:00Z', {}, 'since must match format "date-time".'],
  ['/shelves?lent=yes', {}, 'lent must be boolean.'],
  ['/shelves?tags=a,b,c', {}, 'tags must NOT have more than 2 items.'],
  ['/shelves', { 'X-Row': '10' }, 'X-Row must be <= 9.'],
  ['/shelves', { Cookie: 'theme=blue' }, 'theme must be equal to one of the allowed values: dark, light.'],
  ['/desks', {}, 'seat is missing.'],
  ['/loans%20(old)/x', {}, 'loan-id must be integer.'],
] as const;

test.each(invalid)('answers GET %s %j from the error of the middleware', async (target, headers, message) => {
  expect(await ask(target, headers)).toEqual([400, message]);
});

/** The status without the middleware, which notes `note` of each request that it has not skipped. */
async function statusWithout(target: string, headers = {}, note: object = { openapi: {} }) {
  Object.assign(mockMiddleware, { isOff: true, note });
  const [status] = await ask(target, headers).finally(() => (mockMiddleware.isOff = false));
  return status;
}

test.each(invalid)('without the middleware, GET %s %j comes through', async (target, headers) => {
  expect(await statusWithout(target, headers)).toBe(204);
});

test('a request that the middleware skips is an error', async () => {
  expect(await statusWithout('/shelves?count=1', {}, {})).toBe(500);
});

describe('does itself what the middleware would do wrong:', () => {
  const valid = (values: object) => [204, expect.objectContaining(values) as unknown];

  test.each([
    ['texts that coercion takes for integers', '/shelves?count=0x2', 'count must be integer.'],
    ['bounds of 64-bit integers', '/shelves?edition=0', 'edition must be >= 1.'],
    ['a value that is sent twice', '/shelves?count=1&count=2', 'count is sent twice.'],
    ['steps of fractions', '/shelves?part=0.35', 'part must be a multiple of 0.1.'],
    ['a name with brackets that is not declared', '/shelves?tags[]=a', "Unknown query parameter 'tags[]'."],
  ])('rejects %s', async (_what, target, message) => {
    expect(await ask(target)).toEqual([400, message]);
  });

  test.each([
    ['a 64-bit integer', '/shelves?edition=9007199254740993', { edition: 9007199254740993n }],
    ['a fraction that is inexact in binary', '/shelves?part=0.3', { part: 0.3 }],
    ['a comma inside an item', '/shelves?tags=a%2Cb,c', { tags: ['a,b', 'c'] }],
    ['a list of one empty text', '/shelves?tags=', { tags: [''] }],
    ['an empty text', '/shelves?note=', { note: '' }],
    ['a colon as it is', '/shelves?since=2026-01-01T10:00:00Z', { since: '2026-01-01T10:00:00Z' }],
    ['a declared name with brackets', '/shelves?filter[age]=7', { 'filter[age]': 7 }],
  ])('reads %s', async (_what, target, query) => {
    expect(await ask(target)).toEqual(valid({ query }));
  });

  test('reads a name that every object has', async () => {
    expect(await ask('/shelves')).toEqual(valid({ headers: {} }));
    expect(await ask('/shelves', { Constructor: 'a' })).toEqual(valid({ headers: { constructor: 'a' } }));
  });

  test('reads cookies', async () => {
    expect(await ask('/desks', { Cookie: 'seat=4' })).toEqual(valid({ cookies: { seat: 4 } }));
  });

  test('finds paths that it would not find', async () => {
    const found = valid({ path: { 'loan-id': 7 } });
    expect(await ask('/loans%20(old)/7')).toEqual(found);
    expect(await ask('/loans%20%28old%29/%37')).toEqual(found);
    expect(await ask('/loans%20(old)/7', {}, 'HEAD')).toEqual(found);
    expect(await ask('/files/a.b.c')).toEqual(valid({ path: { name: 'a', type: 'b.c' } }));
    for (const [sent, from] of [
      ['1,2', '1'],
      ['%31%2c2', '1'],
      ['1%2C2,2', '1,2'],
      ['%25%2C2', '%'],
    ] as const)
      expect(await ask(`/gr%C3%B6%c3%9fe%20${sent}`)).toEqual(valid({ path: { from, to: 2 } }));
  });

  test('tests a pattern in linear time', async () => {
    // With backtracking it would take hours.
    expect((await ask(`/shelves?code=${'a'.repeat(60)}!`))[0]).toBe(400);
  });
});

test('passes no request through the middleware whose parameters all have another form', async () => {
  mockMiddleware.types.clear();
  const values = { path: { ids: [1, 2] }, query: { filter: { age: 3 } } };
  expect(await ask('/lists/1,2?filter[age]=3')).toEqual([204, expect.objectContaining(values)]);
  expect(mockMiddleware.types.size).toBe(0);
});

test('shows the middleware no Content-Type, for each of which it would keep a validator', async () => {
  mockMiddleware.types.clear();
  expect((await ask('/shelves?count=1', { 'Content-Type': 'text/plain' }))[0]).toBe(204);
  expect([...mockMiddleware.types]).toEqual([undefined]);
});

// No public entry shows what that package compiles when it is loaded.
test('compiles no schema of OpenAPI itself, also outside of bundles and Jest', () => {
  const script = `
    import '${pathToFileURL(path.join(import.meta.dirname, '../src/validation/openapi-validator/openapi-validator.ts')).href}';
    import factory from 'express-openapi-validator/dist/framework/openapi/factory.schema.js';
    console.log(JSON.stringify(['3.0.0', '3.1.0'].map((version) => factory.factorySchema(version))));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('[{},{}]\n');
});
