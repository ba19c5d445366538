import { checkContract, houseRules } from '../src/rules/check-contract.ts';
import { parseContract } from '@contract-kit/core/openapi';
import { changed, contract } from './support/contract.ts';
import { positionOf } from './support/edit.ts';

/** The message for a broken rule, and the edit that breaks it. */
type Row = readonly [
  says: string | readonly string[],
  before: string,
  after: string,
  /** The text around the named place, which follows the arrow; by default in `after`. */
  around?: string,
];

const SENT = 'the server sends more than is said here: `npm run contract:fill` writes it';

const ROWS: readonly Row[] = [
  [
    'operationId must be camelCase, such as listLoans: list_loans',
    'operationId: listLoans',
    'operationId: →list_loans',
  ],
  [
    ['operationId must be camelCase, such as listLoans: it is missing', SENT],
    '      operationId: listLoans\n',
    '',
    '/loans:\n    →get:',
  ],
  [
    'operationId withOptions is the name of a method that every client has: write another',
    'operationId: listLoans',
    'operationId: →withOptions',
  ],
  [
    SENT,
    "        '503': { $ref: '#/components/responses/ServiceUnavailable' }\n",
    '',
    'List loans\n      →responses:',
  ],
  [
    SENT,
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
    ['the body of a default must be Error as application/json, and nothing else', SENT],
    "        '503': { $ref: '#/components/responses/ServiceUnavailable' }\n",
    "        '503': { $ref: '#/components/responses/ServiceUnavailable' }\n        default: { description: Fine. }\n",
    '→default: { description',
  ],
  [SENT, 'X-Request-Id: { $ref', 'X-Other: { $ref', 'Every loan.\n          →headers:'],
  [
    'it needs an example',
    '              example: [{ id: 1, bookId: 12, size: small }]\n',
    '',
    '→application/json:',
  ],
  [
    'it needs an example',
    'Sunset: { required: true, schema: { type: string } }\n',
    '→X-Total: { required: true, schema: { type: integer } }\n',
  ],
  [
    'a deprecated operation needs x-deprecated-since: "YYYY-MM-DD"',
    "      x-deprecated-since: '2026-11-01'\n",
    '',
    'deprecated: →true',
  ],
  ['"2027-02-30": this must be a date, such as "2027-06-30"', "'2027-06-30'", "→'2027-02-30'"],
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
    'a 400 must list its codes in x-error-codes, invalid_request among them',
    '      x-error-codes: [invalid_request]\n',
    '',
    '→BadRequest:',
  ],
  [
    'a 429 must list its codes in x-error-codes, rate_limit_exceeded among them',
    'x-error-codes: [rate_limit_exceeded]',
    '→x-error-codes: []',
  ],
  [
    'x-error-codes of the document has no too_many with the status 429',
    '[rate_limit_exceeded]',
    '[rate_limit_exceeded, →too_many]',
  ],
  [
    'x-error-codes of the document has no internal_error with the status 429',
    'limit_exceeded]',
    'limit_exceeded, →internal_error]',
  ],
  [
    'the example must have a listed code, and the status 429',
    'example: { code: rate_limit_exceeded',
    '→example: { code: api_key_banned',
  ],
  [
    'the example must have a listed code, and the status 500',
    'example: { code: internal_error, status: 500',
    '→example: { code: internal_error, status: 503',
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
];

const named = ROWS.map((row) => [row[0], row] as const);

test.each(named)('reported with its line and column: %s', (_, [says, before, after, around = after]) => {
  const text = changed([before, after.replace('→', '')]);
  const [start = '', end = ''] = around.split('→');
  const place = positionOf(text, end, text.indexOf(start + end) + start.length);
  const found = checkContract(parseContract(text), houseRules);
  expect([...new Set(found.map(({ line, column, message }) => `${line}:${column}: ${message}`))]).toEqual(
    [says].flat().map((message) => `${place}: ${message}`),
  );
});
