import ts from 'typescript';
import { completed, publishedValue, parseContract } from '@contract-kit/core/openapi';
import { startForCheck } from '@contract-kit/server/internals';
import { newFolder, stopAtEnd } from '@contract-kit/test-support/testing';
import { guessedErrors } from '../src/error-body/error-body.ts';

/* What the first error-body.ts of a service makes of the errors that the kit sends. */

const contractWith = (errors: string, schemas = '') =>
  completed(
    parseContract(`openapi: 3.1.0
info: { title: Shapes, version: '1' }
paths:
  /shapes:
    post:
      operationId: addShape
      parameters: [{ name: size, in: query, schema: { type: integer, minimum: 1 } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Circle' } } } }
      responses:
        '204': { description: Added. }
        ${errors}
components:
  schemas:
    Circle: { type: object, required: [radius], properties: { radius: { type: number }, width: { type: number } } }
${schemas}`),
  );
const NAMES = { name: 'shapes', keyPrefix: 'sh_', databaseFile: 'store.db' };

async function start(contract: ReturnType<typeof contractWith>) {
  const errors = guessedErrors(contract.model, NAMES.name);
  const service = await startForCheck(publishedValue(contract, NAMES), {
    dataDir: newFolder(),
    handlerOf: () => () => ({ status: 204 }),
    ...(errors && { errorBody: errors.errorBody }),
  });
  stopAtEnd('service', () => service.stop());
  return async (body: unknown, { query = '', headers = {} }: { query?: string; headers?: object } = {}) => {
    const response = await fetch(`${service.origin}/shapes${query}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as unknown };
  };
}

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
])('a guessed error of %s says what is wrong', async (_what, errors) => {
  const add = await start(contractWith(errors));
  const { status, body } = await add({});
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain("must have required property 'radius'");
});

const MESSAGE = expect.stringContaining('application/json') as unknown;

const json = (schema: string) =>
  `'400': { description: Wrong., content: { application/json: { schema: ${schema} } } }`;

test.each([
  ['a number of an error', '{ type: object, properties: { error: { type: integer } } }', { error: 400 }],
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
    { message: 'body must have requi' },
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
  expect((await add({})).body).toEqual(expected);
});

test('a guessed error names its request, its path and the time', async () => {
  const schema =
    '{ type: object, required: [requestId, timestamp], properties: { requestId: { type: string }, timestamp: { type: string, format: date-time }, path: { type: string } } }';
  const add = await start(contractWith(json(schema)));
  const { body } = await add({}, { headers: { 'x-request-id': 'ada-1' }, query: '?size=%22' });
  expect(body).toEqual({
    requestId: 'ada-1',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    path: '/shapes',
  });
});

const PLACED = `{ type: array, items: { type: object, required: [path], properties: { path: { type: string }, message: { type: string } } } }`;

test.each([
  [
    'an empty list beside the message',
    `{ type: object, required: [details], properties: { message: { type: string }, details: ${PLACED} } }`,
    { message: MESSAGE, details: [] },
  ],
  [
    'its message in a map that has a place for nothing',
    '{ type: object, properties: { errors: { type: object, additionalProperties: { type: string } }, info: { type: string } } }',
    { errors: { '': MESSAGE } },
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

const WRONG = [{ radius: 1, width: 'wide' }, { query: '?size=0' }] as const;

test.each([
  [
    'a list of places (FastAPI)',
    '{ type: object, properties: { detail: { type: array, items: { type: object, required: [loc, msg, type], properties: { loc: { type: array, items: { anyOf: [{ type: string }, { type: integer }] } }, msg: { type: string }, type: { type: string } } } } } }',
    {
      detail: [
        { loc: ['query', 'size'], msg: 'must be >= 1', type: 'invalid_request' },
        { loc: ['body', 'width'], msg: 'must be number', type: 'invalid_request' },
      ],
    },
  ],
  [
    'pointers (RFC 9457)',
    '{ type: object, properties: { title: { type: string }, errors: { type: array, items: { type: object, properties: { pointer: { type: string }, detail: { type: string } } } } } }',
    {
      title: 'size must be >= 1, and 1 more violation.',
      errors: [
        { pointer: 'size', detail: 'must be >= 1' },
        { pointer: '#/width', detail: 'must be number' },
      ],
    },
  ],
  [
    'pointers and parameters',
    '{ type: object, properties: { errors: { type: array, items: { type: object, required: [detail], properties: { detail: { type: string }, pointer: { type: string }, parameter: { type: string } } } } } }',
    {
      errors: [
        { detail: 'must be >= 1', parameter: 'size' },
        { detail: 'must be number', pointer: '#/width' },
      ],
    },
  ],
  [
    'sources in a list (JSON:API)',
    '{ type: object, required: [errors], properties: { errors: { type: array, minItems: 1, items: { type: object, required: [source], properties: { status: { type: string }, detail: { type: string }, source: { type: object, required: [pointer], properties: { pointer: { type: string } } } } } } } }',
    {
      errors: [
        { status: '400', detail: 'must be >= 1', source: { pointer: 'size' } },
        { status: '400', detail: 'must be number', source: { pointer: '#/width' } },
      ],
    },
  ],
  [
    'issues with paths (zod)',
    '{ type: object, properties: { issues: { type: array, items: { type: object, required: [path, message], properties: { path: { type: array, items: { type: string } }, message: { type: string } } } } } }',
    {
      issues: [
        { path: ['size'], message: 'must be >= 1' },
        { path: ['width'], message: 'must be number' },
      ],
    },
  ],
  [
    'the place where a field was sent',
    '{ type: object, properties: { errors: { type: array, items: { type: object, properties: { in: { type: string, enum: [body, query, path, header] }, field: { type: string }, message: { type: string } } } } } }',
    {
      errors: [
        { in: 'query', field: 'size', message: 'must be >= 1' },
        { in: 'body', field: 'width', message: 'must be number' },
      ],
    },
  ],
  [
    'a map of fields (Laravel)',
    '{ type: object, properties: { message: { type: string }, errors: { type: object, additionalProperties: { type: array, items: { type: string } } } } }',
    {
      message: 'size must be >= 1, and 1 more violation.',
      errors: { size: ['must be >= 1'], width: ['must be number'] },
    },
  ],
])('a guessed error with %s says everything that is wrong, and where', async (_what, schema, expected) => {
  const add = await start(contractWith(json(schema)));
  expect((await add(...WRONG)).body).toEqual(expected);
});

const named = (status: string, name: string, type = 'application/json') =>
  `'${status}': { description: Wrong., content: { ${type}: { schema: { $ref: '#/components/schemas/${name}' } } } }`;
const SHAPES = `    Short: { type: object, required: [message], properties: { message: { type: string } } }
    Coded: { type: object, required: [reason, note], properties: { reason: { type: string }, note: { type: string, enum: ["it's"] }, key: { type: string, enum: [NOT_FOUND, BAD_REQUEST] } } }
    Down: { type: string, enum: [invalid_request, unsupported_media_type] }
`;

test('each response has the shape that it declares, also where the kit makes others', async () => {
  const ours =
    '{ type: object, required: [code, message, status], properties: { code: { type: string }, message: { type: string }, status: { type: integer } } }';
  const errors = [
    named('400', 'Short'),
    named('415', 'Coded'),
    `default: { description: Wrong., content: { application/json: { schema: ${ours} } } }`,
  ];
  const add = await start(contractWith(errors.join('\n        '), SHAPES));
  expect((await add('{')).body).toEqual({ message: 'The body must be valid JSON.' });
  expect((await add('{}', { headers: { 'content-type': 'text/plain' } })).body).toMatchObject({
    note: "it's",
  });
});

test('a text of few is one of them', async () => {
  const add = await start(contractWith(named('400', 'Down', 'text/plain'), SHAPES));
  expect((await add('{')).body).toBe('invalid_request');
});

test.each([
  [
    'code, message and status',
    json(
      '{ type: object, properties: { code: { type: string }, message: { type: string }, status: { type: integer } } }',
    ),
  ],
  ['any fields', json('{ type: object }')],
  ['texts', `'400': { description: Wrong., content: { text/plain: { schema: { type: string } } } }`],
  ['problems of RFC 9457', `'400': { description: Wrong., content: { application/problem+json: {} } }`],
  ['none that are declared', ''],
])('there is no error-body.ts if errors have %s', (_what, errors) => {
  expect(guessedErrors(contractWith(errors).model, NAMES.name)).toBeUndefined();
});

test('a guess compiles, with the types of the contract where they are known', () => {
  const all = [named('400', 'Short'), named('415', 'Coded'), named('500', 'Down', 'text/plain')];
  const { source = '' } = guessedErrors(contractWith(all.join('\n        '), SHAPES).model, NAMES.name) ?? {};
  expect(source).toContain(`ErrorBodyMaker<components['schemas']['Short']>`);
  const { diagnostics } = ts.transpileModule(source, { reportDiagnostics: true });
  expect(diagnostics).toEqual([]);
});
