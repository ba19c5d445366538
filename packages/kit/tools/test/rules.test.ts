import { checkContract, houseRules } from '../src/check/check-contract.ts';
import { parseContract } from '../src/source-document.ts';
import { changed, contract, type Edit } from './support/contract.ts';
import { positionOf } from './support/edit.ts';

/** The message for a broken rule, and the edit that breaks it. */
type Row = readonly [
  says: string | readonly string[],
  before: string,
  after: string,
  /** The text around the named place, which follows the arrow; by default in `after`. */
  around?: string,
];

const ROWS: readonly Row[] = [
  [
    'operationId must be camelCase, such as listLoans: list_loans',
    'operationId: listLoans',
    'operationId: →list_loans',
  ],
  [
    'operationId withOptions is the name of a method that every client has',
    'operationId: listLoans',
    'operationId: →withOptions',
  ],
  [
    'every operation declares the responses 400, 401, 429, 500, 503: missing 503',
    "        '503': { $ref: '#/components/responses/ServiceUnavailable' }\n",
    '',
    'List loans\n      →responses:',
  ],
  [
    'GET /books/{bookId} says what goes wrong only: declare a response from 200 to 399',
    contract.slice(contract.indexOf("        '204':"), contract.lastIndexOf("        '400':")),
    '',
    "→responses:\n        '400'",
  ],
  [
    'the body of a 400 must be Error as application/json, and nothing else',
    "schema: { $ref: '#/components/schemas/Error' }",
    'schema: { type: object, properties: { code: {}, status: {} } }',
    '→content:\n        application/json:\n          schema: { type: object, properties',
  ],
  [
    'the body of a 400 must be Error as application/json, and nothing else',
    'example: { code: invalid_request, status: 400 }',
    'example: { code: invalid_request, status: 400 }\n        text/plain: { schema: { type: string }, example: No. }',
    "Request-Id' }\n      →content:",
  ],
  [
    'a 202 must declare the headers X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
    "        '204':",
    "        →'202': { description: Begun. }\n        '204':",
  ],
  [
    'a 401 must declare the header WWW-Authenticate',
    '        WWW-Authenticate: {',
    '        X-Other: {',
    '[unauthorized]\n      →headers:',
  ],
  [
    'a 429 must declare the header Retry-After',
    'headers: &headers-to-wait\n',
    'headers: *headers\n      x-wait: &headers-to-wait\n',
    '[rate_limit_exceeded]\n      →headers:',
  ],
  [
    ['the header Retry-After of a 429 must be required', 'the header Retry-After of a 503 must be required'],
    'Retry-After: { required: true',
    'Retry-After: { required: →false',
  ],
  [
    'the application/json body of a 200 needs an example',
    '              example: [{ id: 1, bookId: 12, size: small }]\n',
    '',
    '→application/json:',
  ],
  [
    'the header X-Total of a 204 is required: it needs an example',
    'Sunset: { required: true, schema: { type: string } }\n',
    '→X-Total: { required: true, schema: { type: integer } }\n',
  ],
  [
    'a deprecated operation needs x-deprecated-since: "YYYY-MM-DD"',
    "      x-deprecated-since: '2026-11-01'\n",
    '',
    'deprecated: →true',
  ],
  ['a deprecated operation needs x-deprecated-sunset: "YYYY-MM-DD"', "'2027-06-30'", "→'2027-02-30'"],
  ['the sunset must lie after x-deprecated-since', "'2027-06-30'", "→'2026-10-31'"],
  [
    'x-deprecated-sunset says nothing without deprecated: true',
    "      deprecated: true\n      x-deprecated-since: '2026-11-01'\n",
    '',
    "→'2027-06-30'",
  ],
  [
    'the path is not that of the first server: the service has one',
    'http://localhost:3000/v1',
    '→http://localhost:3000/store/v1',
  ],
  [
    'Error must let through each code with a message and its status: the service answers them by itself',
    '        status: { type: integer }',
    '        status: { type: integer }\n        message: { type: integer }',
    '\n    →Error:\n',
  ],
  [
    'the property bookId is an id and must be { type: integer, format: int64 }, or text',
    '        bookId: { type: integer, format: int64 }',
    '        →bookId: { type: integer }',
  ],
  [
    'the parameter bookId is an id and must be { type: integer, format: int64 }, or text',
    'required: true, schema: { type: integer, format: int64 }',
    'required: true, →schema: { type: integer, format: int32 }',
  ],
  [
    'the property bookId is an id and has one type everywhere: it is text elsewhere',
    'required: true, schema: { type: integer, format: int64 }',
    'required: true, schema: { type: string }',
    '→bookId: { type: integer',
  ],
  [
    'a 400 must list its codes, such as x-error-codes: [invalid_request]',
    '      x-error-codes: [invalid_request]\n',
    '',
    '→BadRequest:',
  ],
  ['too_many is not described in x-error-codes', '[rate_limit_exceeded]', '[rate_limit_exceeded, →too_many]'],
  ['internal_error comes with 500, not 429', 'limit_exceeded]', 'limit_exceeded, →internal_error]'],
  [
    'the example shows the code api_key_banned, which is not listed for the 429',
    'example: { code: rate_limit_exceeded',
    'example: { code: →api_key_banned',
  ],
  ['the example shows the status 503 for a 500', 'error, status: 500', 'error, status: →503'],
  [
    'x-extensible-enum follows from x-error-codes: leave it out',
    'code: { type: string }',
    'code: { type: string, →x-extensible-enum: [a] }',
  ],
  ['the version must be three numbers, such as 1.0.0', 'version: 1.2.3', 'version: →v1.2'],
  [
    'the server needs a description with a word of a to z: the first is its name in the client',
    'url: http://localhost:3000/v1',
    '→url: https://staging.library.example/v1',
  ],
  [
    'one server must have a description that starts with "Production": clients use it by default',
    'description: Production',
    'description: Live',
    '→servers:',
  ],
  [
    'the service answers request_timeout by itself: it needs a description here, and the status 408',
    'request_timeout: { status: 408',
    '→request_timeout: { status: 504',
  ],
  [
    'the header Retry-After is string here and integer elsewhere',
    'Sunset: { required: true, schema: { type: string }',
    'Retry-After: { schema: { type: →string }',
  ],
];

const named = ROWS.map((row) => [row[0], row] as const);

test.each(named)('reported with its line and column: %s', (_, [says, before, after, around = after]) => {
  const text = changed([before, after.replace('→', '')]);
  const [start = '', end = ''] = around.split('→');
  const place = positionOf(text, end, text.indexOf(start + end) + start.length);
  const found = checkContract(parseContract(text), houseRules);
  expect(found.map(({ line, column, message }) => `${line}:${column}: ${message}`)).toEqual(
    [says].flat().map((message) => `${place}: ${message}`),
  );
});

test.each([
  ['402', 'a 402 must list its codes: describe one with this status in x-error-codes of the document'],
  ['404', 'a 404 must list its codes, such as x-error-codes: [not_found]'],
])('suggests a code for an error of %s without codes', (status, says) => {
  const text = changed(["        '204':", `        '${status}': { description: No. }\n        '204':`]);
  expect(checkContract(parseContract(text), houseRules).map(({ message }) => message)).toContain(says);
});

test.each([
  [
    ['      required: [code, status]', ''],
    ['        code: { type: string }\n', ''],
  ],
  [['code: { type: string }', 'code: { type: integer }']],
  [['code: { type: string }', 'code: { type: string, enum: [not_found] }']],
] satisfies Edit[][])('reports a wrong code in the schema of errors: %j', (...edits) => {
  const messages = checkContract(parseContract(changed(...edits)), houseRules).map(({ message }) => message);
  expect(messages.filter((message) => !message.startsWith('the example'))).toEqual([
    'every error has the schema Error, an object with the properties code, message and status: code is { type: string }, whose values follow from x-error-codes',
  ]);
});

test('a list of codes includes that of the pipeline', () => {
  const text = changed(
    ['[rate_limit_exceeded]', '[api_key_banned]'],
    ['example: { code: rate_limit_exceeded', 'example: { code: api_key_banned'],
  );
  expect(checkContract(parseContract(text), houseRules).map(({ message }) => message)).toEqual([
    'a 429 must list the code rate_limit_exceeded, which the service answers by itself',
  ]);
});
