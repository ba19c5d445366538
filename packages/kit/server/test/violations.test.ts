import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { startForCheck } from '../src/checking.ts';
import type { AnyHandler } from '../src/pipeline/dispatch.ts';
import type { ErrorBodyMaker } from '../src/index.ts';
import { newFolder, shared, stopAtEnd } from '@contract-kit/test-support/testing';

/* What a rejected request says: all that is wrong with it, in the contract's shape and with its status. */

const contractWith = (errors: string, schemas = '', more = '', parameters = '') =>
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
${parameters}      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Shape' } } } }
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
interface Sent {
  readonly body?: unknown;
  readonly query?: string;
  readonly headers?: object;
}
const CIRCLE = { kind: 'Circle', radius: 1 };
const PROBLEM = `    Problem:
      type: object
      properties:
        title: { type: string }
        status: { type: integer }
        errors: { type: array, items: { type: object, properties: { pointer: { type: string }, detail: { type: string } } } }
`;

const toProblem: ErrorBodyMaker = ({ status, message, violations = [] }) => ({
  title: message,
  status,
  errors: violations.map(({ pointer, message, parameter }) => ({
    pointer: parameter ?? `#${pointer}`,
    detail: message,
  })),
});

test('errorBody gets the place of each violation in every form, and the path of the request', async () => {
  const got: Parameters<ErrorBodyMaker>[0][] = [];
  const add = await start(contractWith(problem('400'), PROBLEM), (error, operationId) => {
    if (operationId === 'addShape') got.push(error);
    return { title: error.message };
  });
  const before = got.length;
  await add({ kind: 'Box', width: 'wide', height: 1 }, { query: '?size=0&x=1', headers: { tag: 'x' } });
  expect(got.slice(before)).toEqual([
    expect.objectContaining({
      path: '/shapes',
      violations: [
        { in: 'query', parameter: 'x', pointer: '', steps: ['x'], message: 'is unknown' },
        { in: 'query', parameter: 'size', pointer: '', steps: ['size'], message: 'must be >= 1' },
        { in: 'header', parameter: 'tag', pointer: '/0', steps: ['tag', '0'], message: 'must be integer' },
        { in: 'body', pointer: '/width', steps: ['width'], message: 'must be number' },
      ],
    }),
  ]);
});

test('errorBody gets every violation of the body and of the parameters, with its place', async () => {
  const add = await start(contractWith(problem('400'), PROBLEM), toProblem);
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
])('of a union, %j breaks the branch that the discriminator names', async (body, expected) => {
  const add = await start(contractWith(problem('400'), PROBLEM), toProblem);
  const { errors } = (await add(body)).body as { errors: { pointer: string; detail: string }[] };
  expect(errors.map(({ pointer, detail }) => [pointer, detail])).toEqual(expected);
});

test.each([
  [['422'], 422, 422],
  [['422', 'default'], 422, 422],
  [['422', '4XX'], 422, 422],
  [['422', '4XX', 'default'], 422, 422],
  [['400', '422'], 400, 400],
  [['400', '422', 'default'], 400, 400],
  [['400'], 400, 400],
  [['4XX'], 400, 400],
  [['default'], 400, 400],
  [[], 400, 400],
])('with %j declared, an invalid request gets %i', async (declared, status, unreadable) => {
  const add = await start(
    contractWith(declared.map(problem).join('\n        '), PROBLEM),
    declared.length > 0 ? toProblem : undefined,
  );
  expect((await add({ kind: 'Circle' })).status).toBe(status);
  expect((await add({ kind: 'Circle', radius: 1 }, { query: '?size=0' })).status).toBe(status);
  expect((await add('{')).status).toBe(unreadable);
});

test.each([
  ['idempotency_key_reused', 400],
  ['idempotency_key_reused, invalid_request', 422],
])('with 422 for %s alone, an invalid request gets %i', async (codes, status) => {
  const reused = problem('422').replace('{', `{ x-error-codes: [${codes}],`);
  const known =
    'x-error-codes: { idempotency_key_reused: { status: 422 }, invalid_request: { status: 400 } }\n';
  const add = await start(
    contractWith([reused, problem('default')].join('\n        '), PROBLEM, known),
    toProblem,
  );
  expect((await add({ kind: 'Circle' })).status).toBe(status);
  expect((await add('{')).status).toBe(status);
});

test('with an Idempotency-Key, 422 is the status of an invalid request and of a reused key', async () => {
  const parameters = '        - { name: Idempotency-Key, in: header, schema: { type: string } }\n';
  const add = await start(
    contractWith([problem('422'), problem('default')].join('\n        '), PROBLEM, '', parameters),
    toProblem,
  );
  const headers = { 'idempotency-key': 'one' };
  expect((await add({ kind: 'Circle' }, { headers })).status).toBe(422);
  expect((await add({ kind: 'Circle', radius: 1 }, { headers })).status).toBe(204);
  const reused = await add({ kind: 'Circle', radius: 2 }, { headers });
  expect([reused.status, JSON.stringify(reused.body)]).toEqual([
    422,
    expect.stringContaining('This Idempotency-Key was sent with another request.'),
  ]);
});

const FILTER =
  '        - { name: filter, in: query, content: { application/json: { schema: { type: object } } } }\n';
const listing = shared(async () => ({
  add: await start(contractWith(problem('400'), PROBLEM, '', FILTER), toProblem),
}));

test.each<[what: string, sent: Sent, found: string[], title: string]>([
  [
    'an unknown parameter beside an invalid body and parameters',
    { body: { kind: 'Box', width: 'wide' }, query: '?size=0&colour=red&unit=mile', headers: { tag: 'x' } },
    ['colour', 'size', 'unit', 'tag', '#', '#/width'],
    "Unknown query parameter 'colour', and 5 more violations.",
  ],
  [
    'several unknown parameters, each once',
    { query: '?a=1&b=%zz&a=2&size=1' },
    ['a', 'b'],
    "Unknown query parameter 'a'.",
  ],
  ['one unknown parameter alone', { query: '?page=2' }, ['page'], "Unknown query parameter 'page'."],
  [
    'a parameter that is sent twice',
    { body: {}, query: '?size=1&size=x&unit=mile', headers: { tag: 'x' } },
    ['size', 'unit', 'tag', '#'],
    'size is sent twice, and 3 more violations.',
  ],
  [
    'a parameter in JSON that cannot be read',
    { body: {}, query: '?filter=%7B&unit=mile' },
    ['unit', 'filter', '#'],
    expect.stringMatching(/^unit must be .*, and 2 more violations\.$/) as string,
  ],
  ['a parameter in JSON alone', { query: '?filter=%7B' }, ['filter'], 'filter must be JSON.'],
  [
    'a parameter in JSON with a number that is rounded',
    { query: '?filter=12345678901234567890' },
    ['filter'],
    'filter has the number 12345678901234567890, which would be rounded.',
  ],
  [
    'a body that is no JSON',
    { body: '{', query: '?size=0&page=1' },
    ['page', 'size', '#'],
    "Unknown query parameter 'page', and 2 more violations.",
  ],
  ['a body that is no JSON alone', { body: '{' }, ['#'], 'The body must be valid JSON.'],
  ['no body', { body: '', query: '?size=0' }, ['size', '#'], 'size must be >= 1, and 1 more violation.'],
])(
  'violations list everything that is wrong: %s',
  async (_what, { body = CIRCLE, ...sent }, found, title) => {
    const rejected = await listing.add(body, sent);
    const { errors } = rejected.body as { errors: { pointer: string }[] };
    expect(rejected).toMatchObject({ status: 400, body: { title } });
    expect(errors.map(({ pointer }) => pointer)).toEqual(found);
  },
);

const MESSAGE = expect.stringContaining('application/json') as unknown;

test.each([
  ['no schema', 'application/problem+json: {}'],
  ['no schema, with a parameter', "'application/problem+json; charset=utf-8': {}"],
  ['an open schema', 'application/problem+json: { schema: {} }'],
  ['a free object', 'application/problem+json: { schema: { type: object } }'],
  ['a named free object', "application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } }"],
])('an error of application/problem+json with %s is one of RFC 9457', async (_what, media) => {
  const errors = `'4XX': { description: Wrong., content: { ${media} } }`;
  const add = await start(
    contractWith(errors, '    Problem: { type: object, additionalProperties: true }\n'),
  );
  expect(await add({ kind: 'Circle' })).toEqual({
    status: 400,
    type: expect.stringMatching(/^application\/problem\+json/) as string,
    body: {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: "body must have required property 'radius'.",
    },
  });
  const { body } = await add({}, { headers: { 'content-type': 'text/plain' } });
  expect(body).toMatchObject({ title: 'Unsupported Media Type', status: 415, detail: MESSAGE });
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
