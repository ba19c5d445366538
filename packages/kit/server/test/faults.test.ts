import { faultsIn } from '../src/docs/browser/faults.js';

/* What the docs page shows beside the fields of a form, for the errors of many frameworks. */

const parameters = [
  { name: 'limit', in: 'query' },
  { name: 'X-Depth', in: 'header' },
  { name: 'id', in: 'path' },
];
const form = [...parameters, { name: 'title', in: 'form' }, { name: 'message', in: 'form' }];
const names = ['lines', 'name', 'data'];

const texts = (faults: ReturnType<typeof faultsIn>) =>
  faults.map(({ field, message }) => `${field?.name ?? 'body'}: ${message}`);
const shown = (error: unknown) => texts(faultsIn(error, parameters, names));
const inForm = (error: unknown) => texts(faultsIn(error, form));

test.each([
  [
    'the kit, of a parameter',
    { code: 'invalid_request', message: 'limit must be <= 100, and 1 more violation.', status: 400 },
    ['limit: limit must be <= 100, and 1 more violation.'],
  ],
  [
    'the kit, of the body',
    { code: 'invalid_request', message: 'body/lines/0/qty must be integer.', status: 400 },
    ['body: body/lines/0/qty must be integer.'],
  ],
  [
    'a service that lists its violations',
    {
      error: {
        violations: [
          { in: 'query', parameter: 'limit', pointer: '', message: 'must be <= 100', steps: [] },
          { in: 'body', pointer: '/lines/0', message: 'must be integer', steps: ['lines', '0'] },
          { in: 'body', pointer: '', message: 'must be object', steps: [] },
        ],
      },
    },
    ['limit: must be <= 100', 'body: /lines/0: must be integer', 'body: must be object'],
  ],
  [
    'FastAPI',
    {
      detail: [
        { type: 'int_parsing', loc: ['query', 'limit'], msg: 'Input should be an integer', input: 'x' },
        { type: 'missing', loc: ['body', 'lines', 0, 'qty'], msg: 'Field required', input: {} },
      ],
    },
    ['limit: Input should be an integer', 'body: /lines/0/qty: Field required'],
  ],
  [
    'JSON:API',
    {
      errors: [
        {
          status: '422',
          source: { pointer: '/data/attributes/title' },
          title: 'Invalid',
          detail: 'Too short.',
        },
        { source: { parameter: 'limit' }, detail: 'Too large.' },
        { source: { header: 'X-Depth' }, detail: 'Too deep.' },
      ],
    },
    ['body: /data/attributes/title: Too short.', 'limit: Too large.', 'X-Depth: Too deep.'],
  ],
  [
    'RFC 9457',
    {
      ...{ type: 'about:blank', title: 'Bad', status: 400, detail: 'Several.', instance: '/v1/name' },
      errors: [{ detail: 'must be an integer', pointer: '#/lines/0' }],
    },
    ['body: /lines/0: must be an integer'],
  ],
  [
    'Laravel',
    {
      message: 'The given data was invalid.',
      errors: { limit: ['Too large.'], 'lines.0.qty': ['Required.'] },
    },
    ['limit: Too large.', 'body: /lines/0/qty: Required.'],
  ],
  [
    'ASP.NET',
    { title: 'Errors occurred.', status: 400, errors: { Limit: ['Bad.'], '$.lines[0]': ['No int.'] } },
    ['limit: Bad.', 'body: /lines/0: No int.'],
  ],
  [
    'Spring',
    {
      status: 400,
      errors: [{ field: 'limit', defaultMessage: 'Too large.', code: 'Max', rejectedValue: 'id' }],
    },
    ['limit: Too large.'],
  ],
  ['Zod, issues', { issues: [{ code: 'too_big', path: ['limit'], message: 'Too big' }] }, ['limit: Too big']],
  ['Zod, flat', { formErrors: [], fieldErrors: { limit: ['Too big'] } }, ['limit: Too big']],
  ['Zod, as a tree', { _errors: [], limit: { _errors: ['Too big'] } }, ['limit: Too big']],
  [
    'Google',
    {
      error: {
        message: 'Bad.',
        details: [{ fieldViolations: [{ field: 'lines[0].qty', description: '< 0' }] }],
      },
    },
    ['body: /lines/0/qty: < 0'],
  ],
  ['Stripe', { error: { param: 'limit', message: 'Invalid: x', code: 'invalid' } }, ['limit: Invalid: x']],
  [
    'GitHub',
    { message: 'Failed', errors: [{ resource: 'Issue', field: 'name', code: 'missing' }] },
    ['body: /name: missing'],
  ],
  [
    'express-validator',
    { errors: [{ type: 'field', msg: 'Invalid value', path: 'limit', location: 'query', value: 'x' }] },
    ['limit: Invalid value'],
  ],
  [
    'express-openapi-validator',
    { message: 'Bad.', errors: [{ path: '/query/limit', message: 'must be number', errorCode: 'type' }] },
    ['limit: must be number'],
  ],
  [
    'Fastify',
    { error: 'Bad Request', message: 'querystring/limit must be integer' },
    ['limit: querystring/limit must be integer'],
  ],
  ['Joi', { error: 'Bad Request', message: '"limit" must be a number' }, ['limit: "limit" must be a number']],
  ['a map of texts', { errors: { limit: 'Too large.' } }, ['limit: Too large.']],
  [
    'a list of sentences',
    { errors: ['limit must be less', 'id: unknown'] },
    ['limit: limit must be less', 'id: id: unknown'],
  ],
  ['plain text', 'limit must be a number', ['limit: limit must be a number']],
])('finds the fields in an error of %s', (_what, error, expected) => {
  expect(shown(error)).toEqual(expected);
});

test.each([
  ['FastAPI', { detail: [{ loc: ['body', 'title'], msg: 'Field required' }] }],
  ['JSON:API', { errors: [{ source: { pointer: '/data/attributes/title' }, detail: 'Field required' }] }],
  ['Django', { title: ['Field required'] }],
  ['Laravel', { message: 'Invalid.', errors: { title: ['Field required'] } }],
])('finds a field of a form in an error of %s', (_what, error) => {
  expect(inForm(error)).toEqual(['title: Field required']);
});

test.each([
  ['an error about the whole request', { title: 'Bad Request', status: 400, message: 'No.', detail: 'x' }],
  ['an error whose code and message are names of fields', { error: { message: 'No.', code: 'x' } }],
  ['a text that names no field', { code: 'not_found', message: 'No book has this id.', status: 404 }],
  ['an empty body', ''],
  ['null', null],
])('finds nothing in %s', (_what, error) => {
  expect(inForm(error)).toEqual([]);
});

test('takes the path of a request for no field of the body', () => {
  expect(shown({ path: '/v1/lines', message: 'No.', status: 400 })).toEqual([]);
});
