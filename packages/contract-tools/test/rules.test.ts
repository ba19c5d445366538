import { checkContract } from '../src/check/check-contract.ts';
import { parseContract, type Problem } from '../src/contract.ts';
import { changed, contract, type Edit } from './support/contract.ts';
import { positionOf } from './support/edit.ts';

const RESPONSE_400 = `description: The request is malformed.
      x-error-codes: [invalid_request]
      headers:
        X-RateLimit-Limit: { $ref: '#/components/headers/X-RateLimit-Limit' }`;

const SUCCESS_OF_GET_PET = contract.slice(
  contract.indexOf("        '204':"),
  contract.lastIndexOf("        '400':"),
);

/** Each breaks one rule of a contract that keeps to all: what is written, and what is said about it, and where. */
const MISTAKES = {
  'an operationId that is not camelCase': {
    replace: ['operationId: listOrders', 'operationId: list_orders'],
    at: 'list_orders',
    says: 'operationId must be camelCase, such as listOrders: list_orders',
  },
  'an operationId that is the name of what every client has': {
    replace: ['operationId: listOrders', 'operationId: withOptions'],
    at: 'withOptions',
    says: 'operationId withOptions is the name of a method that every client has',
  },
  'an operation that does not declare what the pipeline may answer': {
    replace: ["        '503': { $ref: '#/components/responses/ServiceUnavailable' }\n", ''],
    at: 'responses:',
    says: 'every operation declares the responses 400, 401, 429, 500, 503: missing 503',
  },
  'an operation that can only fail': {
    replace: [SUCCESS_OF_GET_PET, ''],
    at: 'responses:',
    after: '/pets/{petId}',
    says: 'GET /pets/{petId} says what goes wrong only: declare a response from 200 to 399',
  },
  'an error with a body of its own': {
    replace: [
      "schema: { $ref: '#/components/schemas/Error' }\n          example: { code: invalid_request",
      'schema: { type: object, properties: { code: {}, status: {} } }\n          example: { code: invalid_request',
    ],
    at: 'content:\n        application/json:\n          schema: { type: object, properties',
    says: 'the body of a 400 must be Error as application/json, and nothing else',
  },
  'an error in a second media type': {
    replace: [
      'example: { code: invalid_request, status: 400 }',
      'example: { code: invalid_request, status: 400 }\n        text/plain: { schema: { type: string }, example: No. }',
    ],
    at: "content:\n        application/json:\n          schema: { $ref: '#/components/schemas/Error' }\n          example: { code: invalid_request",
    says: 'not supported: several media types of one reply; write one: replies are not negotiated',
    also: 'the body of a 400 must be Error as application/json, and nothing else',
  },
  'an answer without a rate-limit header': {
    replace: [RESPONSE_400, RESPONSE_400.slice(0, RESPONSE_400.lastIndexOf('\n'))],
    at: 'headers:\n        X-RateLimit-Remaining: { $ref',
    says: 'a 400 must declare the header X-RateLimit-Limit',
  },
  'an answer without any header': {
    replace: ["        '204':", "        '202': { description: Begun. }\n        '204':"],
    at: "'202'",
    says: 'a 202 must declare the headers X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
  },
  'a 401 without WWW-Authenticate': {
    replace: [
      "        WWW-Authenticate: { $ref: '#/components/headers/WWW-Authenticate' }\n",
      "        X-Other: { $ref: '#/components/headers/WWW-Authenticate' }\n",
    ],
    at: 'headers:\n',
    after: 'Unauthorized:\n',
    says: 'a 401 must declare the header WWW-Authenticate',
  },
  'a 429 without Retry-After': {
    replace: ["        Retry-After: { $ref: '#/components/headers/Retry-After' }\n", ''],
    at: 'headers:\n',
    after: 'TooManyRequests:\n',
    says: 'a 429 must declare the header Retry-After',
  },
  'a header that an answer may leave out': {
    replace: ['Retry-After: { required: true', 'Retry-After: { required: false'],
    at: 'false, schema: { type: integer } }\n    WWW',
    says: 'the header Retry-After of a 429 must be required',
    also: 'the header Retry-After of a 503 must be required',
  },
  'a body without an example': {
    replace: ['              example: [{ id: 1, petId: 12, size: small }]\n', ''],
    at: 'application/json:',
    says: 'the application/json body of a 200 needs an example',
  },
  'a required header that no example shows': {
    replace: [
      '            Sunset: { required: true, schema: { type: string } }\n',
      '            X-Total: { required: true, schema: { type: integer } }\n',
    ],
    at: 'X-Total',
    says: 'the header X-Total of a 204 is required: it needs an example',
  },
  'a deprecated operation without the date since when': {
    replace: ["      x-deprecated-since: '2026-11-01'\n", ''],
    at: 'true\n      x-deprecated-sunset',
    says: 'a deprecated operation needs x-deprecated-since: "YYYY-MM-DD"',
  },
  'a sunset that is no date': {
    replace: ["sunset: '2027-06-30'", "sunset: '2027-02-30'"],
    at: "'2027-02-30'",
    says: 'a deprecated operation needs x-deprecated-sunset: "YYYY-MM-DD"',
  },
  'a sunset before the deprecation': {
    replace: ["sunset: '2027-06-30'", "sunset: '2026-10-31'"],
    at: "'2026-10-31'",
    says: 'the sunset must lie after x-deprecated-since',
  },
  'a sunset of what is not deprecated': {
    replace: ["      deprecated: true\n      x-deprecated-since: '2026-11-01'\n", ''],
    at: "'2027-06-30'",
    says: 'x-deprecated-sunset says nothing without deprecated: true',
  },
  'a server with a path of its own': {
    replace: ['http://localhost:3000/v1', 'http://localhost:3000/store/v1'],
    at: 'http://localhost',
    says: 'the path is not that of the first server: the service has one',
  },
  'an Error that the service could not answer by itself': {
    replace: [
      '        status: { type: integer }',
      '        status: { type: integer }\n        message: { type: integer }',
    ],
    at: 'Error:',
    after: '  schemas:',
    says: 'Error must let through each code with a message and its status: the service answers them by itself',
  },
  'an id property that is not int64': {
    replace: ['        petId: { type: integer, format: int64 }', '        petId: { type: integer }'],
    at: 'petId: { type: integer }\n        size',
    says: 'the property petId is an id and must be { type: integer, format: int64 }, or text',
  },
  'an id parameter that is not int64': {
    replace: [
      'required: true, schema: { type: integer, format: int64 }',
      'required: true, schema: { type: integer, format: int32 }',
    ],
    at: 'schema: { type: integer, format: int32 }',
    says: 'the parameter petId is an id and must be { type: integer, format: int64 }, or text',
  },
  'an id that is sent as something else than it was read': {
    replace: [
      'required: true, schema: { type: integer, format: int64 }',
      'required: true, schema: { type: string }',
    ],
    at: 'petId: { type: integer',
    says: 'the property petId is an id and has one type everywhere: it is text elsewhere',
  },
  'an error that lists no codes': {
    replace: ['      x-error-codes: [invalid_request]\n', ''],
    at: 'BadRequest:',
    says: 'a 400 must list its codes, such as x-error-codes: [invalid_request]',
  },
  'a code that is not in the catalogue': {
    replace: ['[rate_limit_exceeded]', '[rate_limit_exceeded, too_many]'],
    at: 'too_many',
    says: 'too_many is not described in x-error-codes',
  },
  'a code that comes with another status': {
    replace: ['[rate_limit_exceeded]', '[rate_limit_exceeded, internal_error]'],
    at: 'internal_error]\n      headers',
    says: 'internal_error comes with 500, not 429',
  },
  'an example with a code that is not listed': {
    replace: ['example: { code: rate_limit_exceeded', 'example: { code: api_key_banned'],
    at: 'api_key_banned, status: 429 }\n    Int',
    says: 'the example shows the code api_key_banned, which is not listed for the 429',
  },
  'an example with another status': {
    replace: ['code: internal_error, status: 500', 'code: internal_error, status: 503'],
    at: '503 }\n    Service',
    says: 'the example shows the status 503 for a 500',
  },
  'a second list of the error codes': {
    replace: ['code: { type: string }', 'code: { type: string, x-extensible-enum: [a] }'],
    at: 'x-extensible-enum: [a]',
    says: 'x-extensible-enum follows from x-error-codes: leave it out',
  },
  'a version that is no number': {
    replace: ['version: 1.2.3', 'version: v1.2'],
    at: 'v1.2',
    says: 'the version must be three numbers, such as 1.0.0',
  },
  'a server without a name': {
    replace: ['http://localhost:3000/v1', 'https://staging.petstore.example/v1'],
    at: 'url: https://staging',
    says: 'the server needs a description with a word of a to z: the first is its name in the client',
  },
  'no server that is called production': {
    replace: ['description: Production', 'description: Live'],
    at: 'servers:',
    says: 'one server needs a description that begins with Production: clients call it unless told another',
  },
  'an error code of the service with another status': {
    replace: ['request_timeout: { status: 408', 'request_timeout: { status: 504'],
    at: 'request_timeout',
    says: 'the service answers request_timeout by itself: it needs a description here, and the status 408',
  },
  'a header that the service writes as a number': {
    replace: [
      'schema: { type: integer } }\n    X-Request-Id',
      'schema: { type: string } }\n    X-Request-Id',
    ],
    at: 'schema: { type: string } }\n    X-Request-Id',
    says: 'the header X-RateLimit-Reset must allow 1795251660, which the service may write',
  },
  'a request id that clients may not choose': {
    replace: ['schema: { type: string } }\n    Retry', 'schema: { type: string, format: uuid } }\n    Retry'],
    at: 'schema: { type: string, format: uuid }',
    says: 'the header X-Request-Id must allow "a", which the service may write',
  },
  'a Cache-Control that handlers may leave to the service': {
    replace: ['Sunset: { required: true, schema: {', 'Cache-Control: { schema: { enum: [max-age=60],'],
    at: 'schema: { enum: [max-age=60]',
    says: 'the header Cache-Control must allow "no-store", which the service may write',
  },
  'a Cache-Control that every handler sets, and no example shows': {
    replace: ['            Sunset: {', '            Cache-Control: {'],
    at: 'Cache-Control',
    says: 'the header Cache-Control of a 204 is required: it needs an example',
  },
  'a header of two types': {
    replace: [
      'Sunset: { required: true, schema: { type: string }',
      'Retry-After: { schema: { type: string }',
    ],
    at: "string } }\n        '400'",
    says: 'the header Retry-After is string here and integer elsewhere',
  },
} satisfies Record<string, Mistake>;

interface Mistake {
  readonly replace: readonly [string, string];
  readonly at: string;
  /** Where to start looking for `at`. */
  readonly after?: string;
  readonly says: string;
  readonly also?: string;
}

function written({ line, column, message }: Problem): string {
  return `${line}:${column}: ${message}`;
}

function expected({ replace, at, after = '', says, also }: Mistake): string[] {
  const text = changed(replace);
  const place = positionOf(text, at, text.indexOf(after));
  return (also === undefined ? [says] : [says, also]).map((message) => `${place}: ${message}`);
}

test.each(Object.entries<Mistake>(MISTAKES))('%s is found, with its line and column', (_, mistake) => {
  expect(checkContract(parseContract(changed(mistake.replace))).map(written)).toEqual(expected(mistake));
});

test.each([
  ['402', 'a 402 must list its codes: describe one with this status in x-error-codes of the document'],
  ['404', 'a 404 must list its codes, such as x-error-codes: [not_found]'],
])('an error of %s that lists no codes is told of one that it may have', (status, says) => {
  const text = changed(["        '204':", `        '${status}': { description: No. }\n        '204':`]);
  expect(checkContract(parseContract(text)).map(({ message }) => message)).toContain(says);
});

test.each([
  [
    ['      required: [code, status]', ''],
    ['        code: { type: string }\n', ''],
  ],
  [['code: { type: string }', 'code: { type: integer }']],
  [['code: { type: string }', 'code: { type: string, enum: [not_found] }']],
] satisfies Edit[][])('the schema of errors has a code of its own: %j', (...edits) => {
  const said = checkContract(parseContract(changed(...edits))).map(({ message }) => message);
  expect(said.filter((message) => !message.startsWith('the example'))).toEqual([
    'every error has the schema Error, an object with the properties code, message and status: code is { type: string }, whose values follow from x-error-codes',
  ]);
});

test('a list of codes has the one that the service answers by itself', () => {
  const text = changed(
    ['[rate_limit_exceeded]', '[api_key_banned]'],
    ['example: { code: rate_limit_exceeded', 'example: { code: api_key_banned'],
  );
  const message = 'a 429 must list the code rate_limit_exceeded, which the service answers by itself';
  expect(checkContract(parseContract(text)).map(written)).toEqual([
    `${positionOf(text, 'x-error-codes: [api_key_banned]')}: ${message}`,
  ]);
});
