import { compareContracts } from '../../src/release/compare-contracts.ts';
import { changed, contract, type Edit } from '../support/contract.ts';
import { cut } from '../support/edit.ts';

jest.setTimeout(60_000);

async function found(revision: string, base = contract): Promise<string[]> {
  const { changes } = await compareContracts(base, revision);
  return changes.map(({ impact, subject, what }) => `${impact}: ${subject}: ${what}`);
}

const NEW_PATH: Edit = [
  '  /pets/{petId}:',
  `  /orders/{orderId}:
    get:
      operationId: getOrder
      responses: {}

  /pets/{petId}:`,
];

const CODES =
  'invalid_request, unauthorized, rate_limit_exceeded, api_key_banned, internal_error, service_unavailable';

// Concurrent, because most of the time goes into starting Redocly.
test.concurrent(
  'a contract that stays as it is has no changes, and neither has one that is only written in another way',
  async () => {
    const rewritten = changed(
      ['{ type: http, scheme: bearer }', '\n      scheme: bearer\n      type: http'],
      ['version: 1.2.3', 'version: 1.3.0 # the next one'],
      [
        'X-RateLimit-Limit: { required: true, schema: {',
        'X-RateLimit-Limit: { required: true, schema: &integer {',
      ],
      [
        'X-RateLimit-Remaining: { required: true, schema: { type: integer } }',
        'X-RateLimit-Remaining: { required: true, schema: *integer }',
      ],
      ['code: { type: string }', `code: { type: string, x-extensible-enum: [${CODES}] }`],
    );
    expect(await found(rewritten)).toEqual([]);
  },
);

test.concurrent('a new operation needs a minor version', async () => {
  expect(await found(changed(NEW_PATH))).toEqual(['minor: /orders/{orderId}: is new']);
});

test.concurrent('an operation that goes needs a major version', async () => {
  expect(await found(cut(contract, '  /pets/{petId}:', 'components:'))).toEqual([
    'major: /pets/{petId}: path `/pets/{petId}` was removed',
  ]);
});

test.concurrent('an operation with another id needs a major version', async () => {
  expect(await found(changed(['operationId: getPet', 'operationId: findPet']))).toEqual([
    "major: GET /pets/{petId}: `operationId` of operation `GET /pets/{petId}` changed from 'getPet' to 'findPet'",
  ]);
});

test.concurrent(
  'a property that is renamed needs a major version, and is there under its new name',
  async () => {
    expect(await found(changed(['size: { type: string, x-ext', 'extent: { type: string, x-ext']))).toEqual([
      'major: Order.size: property `size` of `Order` was removed',
      'minor: Order.extent: property extent is new',
    ]);
  },
);

test.concurrent('a property of another type needs a major version', async () => {
  expect(await found(changed(['status: { type: integer }', 'status: { type: string }']))).toEqual([
    "major: Error.status: type of `status` widened from 'integer' to 'string'",
  ]);
});

test.concurrent('a property that may be missing needs a major version', async () => {
  expect(await found(changed(['required: [code, status]', 'required: [code]']))).toEqual([
    'major: Error: properties of `Error` are no longer required: `status`',
  ]);
});

test.concurrent('a new value in a closed list that clients read needs a major version', async () => {
  const closed = (values: string) => changed(['x-extensible-enum: [small, large]', `enum: [${values}]`]);
  expect(await found(closed('small, medium, large'), closed('small, large'))).toEqual([
    "major: Order.size: enum of `size` gained values: 'medium'",
  ]);
});

test.concurrent('a parameter of another type needs a major version', async () => {
  const text = changed([
    'schema: { type: integer, format: int64 } }',
    'schema: { type: string, format: int64 } }',
  ]);
  expect(await found(text)).toEqual(["major: GET /pets/{petId}: type narrowed from 'integer' to 'string'"]);
});

test.concurrent(
  'a new parameter needs a major version if it is required, and a minor one if it is not',
  async () => {
    const withPage = (required: boolean) =>
      changed([
        'summary: List orders',
        `summary: List orders\n      parameters: [{ name: page, in: query, required: ${required}, schema: {} }]`,
      ]);
    expect(await found(withPage(true))).toEqual([
      'major: GET /orders: required `page` query parameter was added',
    ]);
    expect(await found(withPage(false))).toEqual(['minor: GET /orders: takes new parameters: page']);
  },
);

test.concurrent('a status that goes needs a major version, and a new one a minor one', async () => {
  const without = changed(["        '503': { $ref: '#/components/responses/ServiceUnavailable' }\n", '']);
  expect(await found(without)).toEqual(['major: GET /orders: response `503` was removed']);
  expect(await found(contract, without)).toEqual(['minor: GET /orders: response 503 is new']);
});

test.concurrent('a response header that goes needs a major version', async () => {
  const without = changed(["            X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }\n", '']);
  expect(await found(without)).toEqual([
    'major: GET /orders, response 200: response header `X-Request-Id` was removed',
  ]);
});

test.concurrent(
  'the Sunset header may go with a minor version where the operation is no longer deprecated',
  async () => {
    const DEPRECATED = /deprecated: true\n.*since.*\n.*sunset.*\n/;
    const HEADER = '            Sunset: { required: true, schema: { type: string } }\n';
    const text = contract.replace(DEPRECATED, "x-was: ''\n").replace(HEADER, '');
    expect((await found(text)).filter((each) => !each.startsWith('patch'))).toEqual([
      'minor: GET /pets/{petId}, response 204: response header `Sunset` was removed',
      'minor: GET /pets/{petId}: is no longer deprecated',
    ]);
    expect(await found(changed([HEADER, '']))).toEqual([
      'major: GET /pets/{petId}, response 204: response header `Sunset` was removed',
    ]);
  },
);

test.concurrent('other words need a patch version', async () => {
  expect(await found(changed(['summary: List orders', 'summary: All orders']))).toEqual([
    'patch: GET /orders: summary changes from "List orders" to "All orders"',
  ]);
});

test.concurrent(
  'what Redocly sees and what it overlooks is reported together, the gravest first, and each change once',
  async () => {
    const revision = changed(
      ['perMinute: 60', 'perMinute: 59'],
      ['  unauthorized: {', '  teapot: { status: 418, description: I am one. }\n  unauthorized: {'],
      ['operationId: listOrders', 'operationId: listOrders\n      security: []\n      x-stability: beta'],
      ["x-deprecated-sunset: '2027-06-30'", "x-deprecated-sunset: '2028-06-30'"],
      ['Retry-After: { required: true', 'Retry-After: { required: false'],
      ['  - url: http://localhost:3000/v1', '  - url: https://eu.petstore.example/v1'],
      ['size: { type: string, x-ext', 'note: { type: string }\n        size: { type: string, x-ext'],
      ['x-error-codes: [invalid_request]', 'x-error-codes: [invalid_request, teapot]'],
      ['summary: Get a pet', 'summary: One pet'],
    );
    expect(await found(revision)).toEqual([
      'major: GET /orders: is open to everybody, and needed apiKey before',
      'major: plan free: requests per minute fall from 60 to 59',
      'major: response header Retry-After: may now be missing, and was always there',
      'major: GET /orders: is beta, and was stable',
      'minor: Order.note: property note is new',
      'minor: error code teapot: is new, with 418',
      'minor: response BadRequest: may have the new code teapot',
      'minor: server https://eu.petstore.example/v1: is new',
      'patch: GET /pets/{petId}: summary changes from "Get a pet" to "One pet"',
      'patch: GET /pets/{petId}: stays until 2028-06-30, longer than 2027-06-30',
      'patch: server http://localhost:3000/v1: is gone',
    ]);
  },
);
