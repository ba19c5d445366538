import { readModel } from '@contract-kit/core/model';
import { List } from '../src/http/list.ts';
import { responseValidatorsOf } from '../src/validation/response-validator.ts';
import { sharedService, startTestService } from './library/service.ts';
import { contract } from './library/contract.ts';

/** The responses of the handlers. */
let returned: object;
const handlers = { listLoans: () => returned, cancelLoan: () => returned };
const service = sharedService({ handlers });

const request = (method = 'GET') =>
  service.request(method === 'DELETE' ? '/v1/loans/1' : '/v1/loans', {
    method,
    key: service.suiteKey,
  });

const loan = { id: 1, days: 2 };

/** A list that arrives in batches. */
function inBatches(...batches: unknown[][]) {
  async function* texts() {
    for (const batch of batches) yield await Promise.resolve(JSON.stringify(batch).slice(1, -1));
  }
  return { status: 200, body: new List({ read: () => Promise.resolve(texts()), batches: texts }) };
}

const errorOf = (status: number, code?: string) => ({ status, body: { code, message: 'No.', status } });
const unavailable = errorOf(503, 'service_unavailable');

/** Responses that break the contract in one way each, with the expected message. */
test.each<[what: string, method: 'GET' | 'DELETE', returned: object, says: string]>([
  ['a status that is not declared', 'GET', { status: 418, body: [] }, 'status 418'],
  [
    'a property that is not declared',
    'GET',
    { status: 200, body: [{ ...loan, status: 'pending' }] },
    'body/0 must NOT have unevaluated properties (status, a string)',
  ],
  [
    'an integer that JSON cannot carry exactly',
    'GET',
    { status: 200, body: [{ id: 2 ** 53 }] },
    'body/0/id must match format "int64"',
  ],
  [
    'a date that does not exist',
    'GET',
    { status: 200, body: [{ dueDate: '2020-13-01T00:00:00Z' }] },
    'dueDate must match format "date-time"',
  ],
  ['a body on 204', 'DELETE', { status: 204, body: { done: true } }, 'a body, but the contract has none'],
  ['no body on 200', 'GET', { status: 200 }, 'body is missing'],
  [
    'a code that the response does not list',
    'DELETE',
    errorOf(404, 'loan_already_returned'),
    'body/code must be equal to one of the allowed values: loan_not_found (it is a string)',
  ],
  ['a required header that is missing', 'DELETE', unavailable, 'header Retry-After is missing'],
  [
    'a header of the wrong type',
    'DELETE',
    { ...unavailable, headers: { 'Retry-After': 'soon' } },
    'header Retry-After must be integer',
  ],
  [
    'another content type',
    'GET',
    { status: 200, headers: { 'Content-Type': 'text/plain' }, body: '[]' },
    'Content-Type is text/plain, not application/json',
  ],
  ['a list whose first batch is wrong', 'GET', inBatches([{ id: 'one' }], [loan]), 'id must be integer'],
])('a handler that responds with %s causes a 500 that names it, and a log line', async (...row) => {
  const [, method, wrong, says] = row;
  returned = wrong;
  const before = service.logged.length;
  const response = await request(method);
  expect(response.headers.get('x-ratelimit-remaining')).not.toBeNull();
  const message = expect.stringContaining(says) as string;
  expect(await response.json()).toEqual({ code: 'internal_error', message, status: 500 });
  const operationId = method === 'GET' ? 'listLoans' : 'cancelLoan';
  const stack = expect.stringMatching(
    new RegExp(`^Error: ${operationId} responded with \\d+: .*${says.replace(/[().]/g, '\\$&')}`),
  ) as string;
  const err = expect.objectContaining({ stack }) as object;
  const line = expect.objectContaining({
    msg: 'the response violates the contract',
    err,
    operationId,
  }) as object;
  expect(service.logged.slice(before)).toContainEqual(line);
});

test('HEAD is checked like GET', async () => {
  returned = { status: 200, body: [{ id: '1' }] };
  expect((await request('HEAD')).status).toBe(500);
});

test('a streamed list is cut off at the first invalid element', async () => {
  returned = inBatches([loan], [loan], [{ id: 'three' }]);
  await expect(request().then((response) => response.text())).rejects.toThrow();
  expect(service.logged).toContainEqual(
    expect.objectContaining({ violations: [expect.stringContaining('element/id must be integer')] }),
  );
});

test('responses are not validated by default', async () => {
  const unchecked = await startTestService({ handlers, validatesResponses: false });
  returned = { status: 200, body: [{ id: '1' }] };
  expect((await unchecked.list(await unchecked.key())).status).toBe(200);
});

/** What is wrong with bodies of a schema. */
function problemsWith(schema: object): (body: object) => string[] | undefined {
  const get = {
    operationId: 'listLoans',
    responses: { 200: { content: { 'application/json': { schema } } } },
  };
  const paths = structuredClone(contract.document['paths']) as Record<string, object>;
  Object.assign(paths['/loans'] ?? {}, { get });
  const validatorFor = responseValidatorsOf(readModel({ ...contract.document, paths }));
  return (body) => validatorFor('listLoans', 200)?.checkBody(JSON.stringify(body));
}

test('reports how a body differs from each branch, not its properties as undeclared', () => {
  const branch = (name: string) => ({
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' } },
  });
  const problems = problemsWith({ oneOf: [branch('a'), branch('b')] });
  expect(problems({ a: 'x', c: 'x' })).toEqual(['body must NOT have unevaluated properties (c, a string)']);
  expect(problems({ a: 1 })).toEqual([
    'body/a must be string (it is a number)',
    "body must have required property 'b'",
    'body must match exactly one schema in oneOf (it is an object)',
  ]);
});

test('reports the place of each violation, the name of the property and the type of the value', () => {
  const problems = problemsWith({
    type: 'object',
    additionalProperties: false,
    properties: {
      of: { type: 'object', additionalProperties: false },
      names: { type: 'object', propertyNames: { maxLength: 2 } },
      kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
      secret: { type: 'string', writeOnly: true },
    },
  });
  expect(problems({ of: { x: null, y: [] }, names: { abc: 1 }, kind: 3, secret: '', more: {} })).toEqual([
    'body must NOT have additional properties (more, an object)',
    'body/of must NOT have additional properties (x, null)',
    'body/of must NOT have additional properties (y, an array)',
    'body/names has a property abc, whose name must NOT have more than 2 characters',
    'body/names property name must be valid',
    'body/kind must be string,null (it is a number)',
    'body/kind must be equal to one of the allowed values: a, b, null (it is a number)',
    'body/secret must not be in a response (it is a string)',
  ]);
});
