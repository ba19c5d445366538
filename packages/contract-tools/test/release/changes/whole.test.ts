import { compareContracts } from '../../../src/release/compare-contracts.ts';
import { changed, contract, type Edit } from '../../support/contract.ts';
import { edit } from '../../support/edit.ts';
import { linesOf } from '../../support/found.ts';
import { compare, SHOP } from '../../support/shop.ts';

test('a contract that is only written in another way has no changes', () => {
  const rewritten: readonly Edit[] = [
    ['version: 1.0.0', 'version: 1.1.0'],
    ['{ type: http, scheme: bearer }', '\n      scheme: bearer\n      type: http'],
    // A parameter of the path belongs to each of its operations.
    [
      '/pets/{petId}:\n',
      '/pets/{petId}:\n    parameters:\n      - { $ref: "#/components/parameters/Pet" }\n',
    ],
    [
      '      parameters:\n        - { name: petId, in: path, required: true, schema: { type: integer } }\n',
      '',
    ],
    [
      '  parameters:\n    Since',
      '  parameters:\n    Pet: { name: petId, in: path, required: true, schema: { type: integer } }\n    Since',
    ],
    [
      "schema: { $ref: '#/components/schemas/Pet' }",
      'schema: { type: object, properties: { name: { type: string } } }',
    ],
    ['        id: { type: integer }\n', ''],
    ['        kind: { type: string }\n', '        kind: { type: string }\n        id: { type: integer }\n'],
  ];
  expect(
    compare(
      SHOP,
      rewritten.reduce((text, each) => edit(text, ...each), SHOP),
    ),
  ).toEqual([]);
});

test('all is reported together, the gravest first, and each change once', () => {
  const revision = changed(
    ['perMinute: 60', 'perMinute: 59'],
    ['  unauthorized: {', '  teapot: { status: 418, description: I am one. }\n  unauthorized: {'],
    ['operationId: listOrders', 'operationId: listOrders\n      security: []\n      x-stability: beta'],
    ["x-deprecated-sunset: '2027-06-30'", "x-deprecated-sunset: '2028-06-30'"],
    ['Retry-After: { required: true', 'Retry-After: { required: false'],
    ['  - url: http://localhost:3000/v1', '  - url: https://eu.petstore.example/v1'],
    ['x-error-codes: [invalid_request]', 'x-error-codes: [invalid_request, teapot]'],
  );
  expect(linesOf(compareContracts(contract, revision, '2026-12-01').changes)).toEqual([
    'major: response header Retry-After: may now be missing, and was always there',
    'major: GET /orders: is open to everybody, and needed apiKey before',
    'major: plan free: requests per minute fall from 60 to 59',
    'major: GET /orders: is beta, and was stable',
    'minor: response BadRequest: may have the new code teapot',
    'minor: error code teapot: is new, with 418',
    'minor: server https://eu.petstore.example/v1: is new',
    'patch: GET /pets/{petId}: stays until 2028-06-30, longer than 2027-06-30',
    'patch: server http://localhost:3000/v1: is gone',
  ]);
  expect(compareContracts(contract, revision, '2026-12-01').changes).toHaveLength(9);
});
