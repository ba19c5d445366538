import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lintContracts } from '../src/lint/lint-contracts.ts';
import { edit, positionOf } from './support/edit.ts';

const RESPONSE_400 = `description: The request is malformed.
      headers:
        X-RateLimit-Limit: { $ref: '#/components/headers/X-RateLimit-Limit' }`;

/** Each breaks one rule of a contract that keeps to all: what is written, and what is said about it, and where. */
const MISTAKES = {
  'an operation without operationId': {
    replace: ['      operationId: listOrders\n', ''],
    at: 'get:',
    says: 'Operation object should contain `operationId` field. (operation-operationId)',
  },
  'an operationId that is not camelCase': {
    replace: ['operationId: listOrders', 'operationId: list_orders'],
    at: 'list_orders',
    says: 'operationId must be camelCase, such as listOrders: list_orders (house/operation-id-camel-case)',
  },
  'an operation that does not declare what the pipeline may answer': {
    replace: ["        '503': { $ref: '#/components/responses/ServiceUnavailable' }\n", ''],
    at: 'responses:',
    says: 'every operation declares the responses 400, 401, 429, 500, 503: missing 503 (house/common-responses)',
  },
  'an error with a body of its own': {
    replace: [
      "schema: { $ref: '#/components/schemas/Error' }\n          example: { code: invalid_request",
      'schema: { type: object, properties: { code: {}, status: {} } }\n          example: { code: invalid_request',
    ],
    at: 'content:\n        application/json:\n          schema: { type: object, properties',
    says: 'the body of a 400 must be Error as application/json, and nothing else (house/error-body)',
  },
  'an error in a second media type': {
    replace: [
      'example: { code: invalid_request, status: 400 }',
      'example: { code: invalid_request, status: 400 }\n        text/plain: { schema: { type: string }, example: No. }',
    ],
    at: "content:\n        application/json:\n          schema: { $ref: '#/components/schemas/Error' }\n          example: { code: invalid_request",
    says: 'the body of a 400 must be Error as application/json, and nothing else (house/error-body)',
  },
  'an answer without a rate-limit header': {
    replace: [RESPONSE_400, 'description: The request is malformed.\n      headers:'],
    at: 'headers:\n        X-RateLimit-Remaining: { $ref',
    says: 'a 400 must declare the header X-RateLimit-Limit (house/response-headers)',
  },
  'a 401 without WWW-Authenticate': {
    replace: [
      "        WWW-Authenticate: { $ref: '#/components/headers/WWW-Authenticate' }\n",
      "        X-Other: { $ref: '#/components/headers/WWW-Authenticate' }\n",
    ],
    at: 'headers:\n',
    after: 'Unauthorized:\n',
    says: 'a 401 must declare the header WWW-Authenticate (house/response-headers)',
  },
  'a 429 without Retry-After': {
    replace: ["        Retry-After: { $ref: '#/components/headers/Retry-After' }\n", ''],
    at: 'headers:\n',
    after: 'TooManyRequests:\n',
    says: 'a 429 must declare the header Retry-After (house/response-headers)',
  },
  'a header that an answer may leave out': {
    replace: ['Retry-After: { required: true', 'Retry-After: { required: false'],
    at: '{ required: false',
    says: 'the header Retry-After of a 429 must be required (house/response-headers)',
    also: 'the header Retry-After of a 503 must be required (house/response-headers)',
  },
  'a body without an example': {
    replace: ['              example: [{ id: 1, petId: 12, size: small }]\n', ''],
    at: 'application/json:',
    says: 'the application/json body of a 200 needs an example (house/response-example)',
  },
  'an example that does not fit its schema': {
    replace: ['[{ id: 1, petId: 12', '[{ id: 1, petId: twelve'],
    at: 'twelve',
    says: 'Example value must conform to the schema: `petId` property type must be integer. (no-invalid-media-type-examples)',
  },
  'an example with a field the schema does not know': {
    replace: ['[{ id: 1, petId: 12', '[{ id: 1, pet: 12'],
    at: 'pet: 12',
    says: 'Example value must conform to the schema: `0` property must NOT have unevaluated properties `pet`. (no-invalid-media-type-examples)',
  },
  'a deprecated operation without the date since when': {
    replace: ["      x-deprecated-since: '2026-11-01'\n", ''],
    at: 'deprecated: true',
    says: 'a deprecated operation needs x-deprecated-since: "YYYY-MM-DD" (house/deprecation-dates)',
  },
  'a sunset that is no date': {
    replace: ["sunset: '2027-06-30'", "sunset: '2027-02-30'"],
    at: "'2027-02-30'",
    says: 'a deprecated operation needs x-deprecated-sunset: "YYYY-MM-DD" (house/deprecation-dates)',
  },
  'a sunset before the deprecation': {
    replace: ["sunset: '2027-06-30'", "sunset: '2026-10-31'"],
    at: "'2026-10-31'",
    says: 'the sunset must lie after x-deprecated-since (house/deprecation-dates)',
  },
  'an id property that is not int64': {
    replace: ['        petId: { type: integer, format: int64 }', '        petId: { type: integer }'],
    at: '{ type: integer }\n        size',
    says: 'the property petId is an id and must be { type: integer, format: int64 } (house/int64-ids)',
  },
  'an id parameter that is not int64': {
    replace: [
      'required: true, schema: { type: integer, format: int64 }',
      'required: true, schema: { type: integer, format: int32 }',
    ],
    at: '{ type: integer, format: int32 }',
    says: 'the parameter petId is an id and must be { type: integer, format: int64 } (house/int64-ids)',
  },
  'a stability that is neither experimental nor beta': {
    replace: ['operationId: listOrders', 'operationId: listOrders\n      x-stability: alpha'],
    at: 'alpha',
    says: 'x-stability must be experimental or beta: alpha (house/stability)',
  },
  'a server with a trailing slash, by a rule of Redocly': {
    replace: ['https://api.petstore.example/v1', 'https://api.petstore.example/v1/'],
    at: 'https://api.petstore.example/v1/',
    says: 'Server `url` should not have a trailing slash. (no-server-trailing-slash)',
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

let folder = '';
let found: string[] = [];
let contract = '';
const file = (mistake: string) => `${mistake.replaceAll(/\W+/g, '-')}.yaml`;

// One run of Redocly over all of them: starting it costs more than linting does.
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'petstore-lint-'));
  contract = await readFile(path.join(import.meta.dirname, 'support/contract.yaml'), 'utf8');
  await writeFile(path.join(folder, 'sound.yaml'), contract);
  for (const [mistake, { replace }] of Object.entries<Mistake>(MISTAKES)) {
    await writeFile(path.join(folder, file(mistake)), edit(contract, ...replace));
  }
  const files = ['sound.yaml', ...Object.keys(MISTAKES).map(file)];
  found = (await lintContracts(files, folder)).map(
    (each) => `${each.file}:${each.line}:${each.column}: ${each.message} (${each.rule})`,
  );
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test('a contract that keeps to every rule is passed', () => {
  expect(found.filter((each) => each.startsWith('sound.yaml'))).toEqual([]);
});

test.each(Object.entries<Mistake>(MISTAKES))('%s is found, with its line and column', (mistake, expected) => {
  const { replace, at, after = '', says, also } = expected;
  const text = edit(contract, ...replace);
  const start = text.indexOf(after);
  const place = positionOf(text, at, start);
  const messages = also === undefined ? [says] : [says, also];
  expect(found.filter((each) => each.startsWith(`${file(mistake)}:`))).toEqual(
    messages.map((message) => `${file(mistake)}:${place}: ${message}`),
  );
});

test('a contract that is not YAML is refused with the place of the mistake', async () => {
  await writeFile(path.join(folder, 'openapi.yaml'), 'openapi: 3.1.0\ninfo: [\n');
  await expect(lintContracts(['openapi.yaml'], folder)).rejects.toThrow('openapi.yaml:3:1: ');
});
