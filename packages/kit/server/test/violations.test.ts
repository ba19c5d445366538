import { contractOf } from '@contract-kit/core/contract-value';
import { parseContract } from '@contract-kit/core/source-document';
import { startForCheck } from '../src/checking.ts';
import type { AnyHandler } from '../src/pipeline/dispatch.ts';
import type { ErrorBodyMaker } from '../src/index.ts';
import { newFolder, stopAtEnd } from '@contract-kit/local-stack/testing';

/* What a rejected request says: all that is wrong with it, in the contract's shape and with its status. */

const contractWith = (errors: string, schemas = '', more = '') =>
  contractOf(
    parseContract(`openapi: 3.1.0
info: { title: Shapes, version: '1' }
paths:
  /shapes:
    post:
      operationId: addShape
      parameters:
        - { name: size, in: query, schema: { type: integer, minimum: 1 } }
        - { name: unit, in: query, schema: { type: string, enum: [cm, m] } }
        - { name: tag, in: header, schema: { type: array, items: { type: integer } } }
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Shape' } } } }
      responses:
        '204': { description: Added. }
        ${errors}
${more}components:
  schemas:
    Shape:
      oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/components/schemas/Box' }]
      discriminator: { propertyName: kind }
    Circle:
      type: object
      required: [kind, radius]
      properties: { kind: { type: string, const: Circle }, radius: { type: number, minimum: 0 } }
    Box:
      type: object
      required: [kind, width, height]
      properties: { kind: { type: string, const: Box }, width: { type: number }, height: { type: number }, names: { type: object, propertyNames: { pattern: '^[a-z]+$' } }, marks: { type: array, contains: { type: object, required: [at] } }, owner: { type: object, anyOf: [{ required: [email] }, { required: [phone] }] }, pair: { type: object, oneOf: [{ required: [a] }, { required: [b] }, { required: [c] }] }, based: { type: object, allOf: [{ required: [x] }, { anyOf: [{ required: [a] }, { required: [b] }] }] }, place: { type: object, anyOf: [{ required: [x, y] }, { required: [name] }] }, mark: { anyOf: [{ type: integer }, { type: boolean }] } }
${schemas}`),
    { name: 'shapes', keyPrefix: 'sh_', databaseFile: 'store.db' },
  );

async function start(contract: ReturnType<typeof contractWith>, errorBody?: ErrorBodyMaker) {
  const handlerOf = () => (() => ({ status: 204 })) as AnyHandler;
  const service = await startForCheck(contract, {
    dataDir: newFolder(),
    handlerOf,
    ...(errorBody && { errorBody }),
  });
  stopAtEnd('service', () => service.stop());
  return async (body: unknown, { query = '', headers = {} }: { query?: string; headers?: object } = {}) => {
    const response = await fetch(`${service.origin}/shapes${query}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
    const type = response.headers.get('content-type');
    return { status: response.status, type, body: response.status === 204 ? {} : await response.json() };
  };
}

const problem = (status: string) =>
  `'${status}': { description: Wrong., content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }`;
const PROBLEM = `    Problem:
      type: object
      properties:
        title: { type: string }
        status: { type: integer }
        errors: { type: array, items: { type: object, properties: { pointer: { type: string }, detail: { type: string } } } }
`;

test('friction 9: errorBody gets every violation of the body and of the parameters, with its place', async () => {
  const add = await start(contractWith(problem('400'), PROBLEM), ({ status, message, violations = [] }) => ({
    title: message,
    status,
    errors: violations.map(({ pointer, message, parameter }) => ({
      pointer: parameter ?? `#${pointer}`,
      detail: message,
    })),
  }));
  const wrong = await add(
    { kind: 'Box', width: 'wide' },
    { query: '?size=0&unit=mile', headers: { tag: '1,x' } },
  );
  expect(wrong).toEqual({
    status: 400,
    type: 'application/problem+json',
    body: {
      title: 'size must be >= 1, and 4 more violations.',
      status: 400,
      errors: [
        { pointer: 'size', detail: 'must be >= 1' },
        { pointer: 'unit', detail: expect.stringContaining('must be equal to one of') as string },
        { pointer: 'tag', detail: 'must be integer' },
        { pointer: '#', detail: "must have required property 'height'" },
        { pointer: '#/width', detail: 'must be number' },
      ],
    },
  });
  expect(await add({ kind: 'Circle', radius: 1 })).toMatchObject({ status: 204 });
});

test.each([
  [{ kind: 'Circle', radius: -1 }, [['#/radius', 'must be >= 0']]],
  [{ kind: 'Box', width: 1 }, [['#', "must have required property 'height'"]]],
  [{ kind: 'Line' }, [['#/kind', 'must be equal to one of the allowed values: Circle, Box']]],
  [{}, [['#', "must have required property 'kind'"]]],
  [
    { kind: 'Box', width: 1, height: 1, marks: 'A', mark: 'A' },
    [
      ['#/marks', 'must be array'],
      ['#/mark', 'must match a schema in anyOf'],
    ],
  ],
])('friction 9: of a union, %j breaks the branch that the discriminator names', async (body, expected) => {
  const add = await start(contractWith(problem('400'), PROBLEM));
  const { errors } = (await add(body)).body as { errors: { pointer: string; detail: string }[] };
  expect(errors.map(({ pointer, detail }) => [pointer, detail])).toEqual(expected);
});

test.each([
  [['422'], 422, 422],
  [['400', '422'], 400, 400],
  [['400'], 400, 400],
  [['4XX'], 400, 400],
  [[], 400, 400],
])('friction 9: with %j declared, an invalid request gets %i', async (declared, status, unreadable) => {
  const add = await start(contractWith(declared.map(problem).join('\n        '), PROBLEM));
  expect((await add({ kind: 'Circle' })).status).toBe(status);
  expect((await add({ kind: 'Circle', radius: 1 }, { query: '?size=0' })).status).toBe(status);
  expect((await add('{')).status).toBe(unreadable);
});

const listed = (items: string) =>
  `'400': { description: Wrong., content: { application/json: { schema: { type: array, items: ${items} } } } }`;

test.each([
  ['items of unknown fields', listed('{ type: object, properties: { fault: { type: string } } }')],
  ['items of any kind', listed('{}')],
  ['free objects', listed('{ type: object }')],
  ['texts', listed('{ type: string }')],
  [
    'items of known fields',
    listed('{ type: object, properties: { code: { type: string }, message: { type: string } } }'),
  ],
  [
    'an object of unknown fields',
    `'400': { description: Wrong., content: { application/json: { schema: { type: object, properties: { fault: { type: string }, ref: { type: string, format: uuid } } } } } }`,
  ],
  [
    'a free object',
    `'400': { description: Wrong., content: { application/json: { schema: { type: object } } } }`,
  ],
  ['a text', `'400': { description: Wrong., content: { application/json: { schema: { type: string } } } }`],
])('friction 8: a guessed error of %s says what is wrong', async (_what, errors) => {
  const add = await start(contractWith(errors));
  const { status, body } = await add({ kind: 'Circle' });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain("must have required property 'radius'");
});

const json = (schema: string) =>
  `'400': { description: Wrong., content: { application/json: { schema: ${schema} } } }`;

test.each([
  ['a number of an error', '{ type: object, properties: { error: { type: integer } } }', { error: 400 }],
  [
    'a status of few',
    '{ type: object, properties: { error: { type: integer, enum: [400, 404] } } }',
    { error: 400 },
  ],
  [
    'no field that can tell it',
    '{ type: object, properties: { error: { type: integer, enum: [2, 3] }, at: { type: boolean } } }',
    {},
  ],
  [
    'branches of fields',
    '{ anyOf: [{ type: object, properties: { reason: { type: string } } }, { type: object, properties: { at: { type: integer } } }] }',
    { reason: "body must have required property 'radius'." },
  ],
  [
    'branches of which the last can tell it',
    '{ anyOf: [{ type: object, properties: { at: { type: integer } } }, { type: object, properties: { reason: { type: string } } }] }',
    { reason: "body must have required property 'radius'." },
  ],
  [
    'a text or an object',
    '{ oneOf: [{ type: string }, { type: object, properties: { message: { type: string } } }] }',
    "body must have required property 'radius'.",
  ],
  [
    'a number that must be another one',
    '{ type: object, required: [error, message], properties: { error: { type: integer, const: 1 }, message: { type: string } } }',
    { error: 1, message: "body must have required property 'radius'." },
  ],
  [
    'a number that is too small for a status',
    '{ type: object, properties: { error: { type: integer, maximum: 99 }, message: { type: string } } }',
    { message: "body must have required property 'radius'." },
  ],
  [
    'a type that must be a URI (RFC 9457)',
    '{ type: object, properties: { type: { type: string, format: uri, default: about:blank }, title: { type: string }, status: { type: integer, minimum: 100 }, detail: { type: string }, instance: { type: string, format: uri } } }',
    {
      type: 'about:blank',
      title: 'invalid_request',
      status: 400,
      detail: "body must have required property 'radius'.",
    },
  ],
  [
    'a code in capitals',
    "{ type: object, required: [code, message], properties: { code: { type: string, pattern: '^[A-Z_]+$' }, message: { type: string } } }",
    { code: 'INVALID_REQUEST', message: "body must have required property 'radius'." },
  ],
  [
    'a code of few, which has the name of the status',
    '{ type: object, required: [code], properties: { code: { type: string, enum: [NotFound, BadRequest] } } }',
    { code: 'BadRequest' },
  ],
  [
    'a code that must be short',
    '{ type: object, properties: { code: { type: string, maxLength: 5 }, requestId: { type: string, maxLength: 2 } } }',
    { code: '400' },
  ],
  [
    'a map of messages beside a text',
    '{ type: object, properties: { errors: { type: object, additionalProperties: { type: string } }, info: { type: string } } }',
    { errors: { '': "must have required property 'radius'" } },
  ],
  [
    'a message that must be short',
    '{ type: object, properties: { message: { type: string, maxLength: 20 } } }',
    { message: 'body must have requ…' },
  ],
  [
    'a text that is all it has',
    '{ type: object, properties: { error: { type: string } } }',
    { error: "body must have required property 'radius'." },
  ],
  [
    'a text beside a message',
    '{ type: object, properties: { error: { type: string }, message: { type: string } } }',
    { error: 'invalid_request', message: "body must have required property 'radius'." },
  ],
  [
    'required objects with other names',
    '{ type: object, required: [data], properties: { data: { type: object, required: [fault], properties: { fault: { type: object, properties: { code: { type: integer }, message: { type: string } } } } } } }',
    { data: { fault: { code: 400, message: "body must have required property 'radius'." } } },
  ],
  [
    'a map of lists of messages',
    '{ type: object, properties: { errors: { type: object, additionalProperties: { type: array, items: { type: string } } } } }',
    { errors: { '': ["must have required property 'radius'"] } },
  ],
  [
    'a map of messages',
    '{ type: object, properties: { errors: { additionalProperties: { type: string } } } }',
    { errors: { '': "must have required property 'radius'" } },
  ],
  [
    'details of any kind',
    '{ type: object, properties: { message: { type: string }, details: { type: array, items: { type: object } } } }',
    { message: "body must have required property 'radius'." },
  ],
  [
    'items with no field that can tell it',
    '{ type: array, items: { type: object, properties: { at: { type: boolean } } } }',
    [{}],
  ],
])('a guessed error of %s has no undeclared field', async (_what, schema, expected) => {
  const add = await start(contractWith(json(schema)));
  expect((await add({ kind: 'Circle' })).body).toEqual(expected);
});

test.each<[string, ErrorBodyMaker | undefined]>([
  ['guessed', undefined],
  ['made by the service', ({ requestId }) => ({ requestId })],
])('an error that is %s can name its request', async (_what, errorBody) => {
  const schema = '{ type: object, required: [requestId], properties: { requestId: { type: string } } }';
  const add = await start(contractWith(json(schema)), errorBody);
  expect((await add({}, { headers: { 'x-request-id': 'ada-1' } })).body).toMatchObject({
    requestId: 'ada-1',
  });
});

const PLACED = `{ type: array, items: { type: object, required: [path], properties: { path: { type: string }, message: { type: string } } } }`;
const MESSAGE = expect.stringContaining('application/json') as unknown;

test.each([
  [
    'an empty list beside the message',
    `{ type: object, required: [details], properties: { message: { type: string }, details: ${PLACED} } }`,
    { message: MESSAGE, details: [] },
  ],
  [
    'a text if a map of messages is empty',
    '{ type: object, properties: { errors: { type: object, additionalProperties: { type: string } }, info: { type: string } } }',
    { info: MESSAGE },
  ],
  [
    'an item if nothing else has the message',
    `{ type: object, properties: { code: { type: string }, details: ${PLACED} } }`,
    { code: 'unsupported_media_type', details: [{ path: expect.any(String) as unknown, message: MESSAGE }] },
  ],
])('a guessed error without a place has %s', async (_what, schema, expected) => {
  const add = await start(contractWith(json(schema)));
  const { body } = await add({}, { headers: { 'content-type': 'text/plain' } });
  expect(body).toEqual(expected);
});

test.each([
  [{ names: { A: 1 } }, 'body/names has a property A, whose name must match pattern "^[a-z]+$".'],
  [{ owner: {} }, "body/owner must have required property 'email' or 'phone'."],
  [{ place: {} }, 'body/place must match a schema in anyOf.'],
  [{ pair: { b: 1, c: 1 } }, 'body/pair must match exactly one schema in oneOf.'],
  [{ based: {} }, 'body/based must match a schema in anyOf.'],
  [{ marks: [{ by: 1 }, 2] }, 'body/marks must contain at least 1 valid item(s).'],
])('what several violations say is reported once: %j', async (more, message) => {
  const add = await start(contractWith(''));
  const { body } = await add({ kind: 'Box', width: 1, height: 1, ...more });
  expect(body).toMatchObject({ code: 'invalid_request', message });
});
