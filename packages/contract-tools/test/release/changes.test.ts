import { compareContracts } from '../../src/release/compare-contracts.ts';
import { changed, contract, type Edit } from '../support/contract.ts';
import { cut, edit } from '../support/edit.ts';
import { linesOf } from '../support/found.ts';

/** An operation of each kind, with a piece of text for everything that a row below changes. */
const SHOP = `openapi: 3.1.0
info: { title: A shop, version: 1.0.0 }
servers: [{ url: https://shop.example/v1, description: Production }]
security: [{ apiKey: [] }]
tags: [{ name: orders }]
x-error-codes:
  no_pet: { status: 404, description: There is no such pet. }
  internal_error: { status: 500, description: The server failed. }
paths:
  /orders:
    get:
      operationId: listOrders
      summary: List orders
      tags: [orders]
      parameters:
        - { name: page, in: query, schema: { type: integer, default: 1 } }
        - { name: tag, in: query, explode: true, schema: { type: array, items: { type: string } } }
        - { name: X-Trace, in: header, schema: { type: string } }
      responses:
        '200':
          description: Orders.
          headers:
            X-Total: { required: true, schema: { type: integer } }
            Link: { schema: { type: string } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
        '304': { description: Not modified. }
    post:
      operationId: createOrder
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewOrder' } } }
      responses:
        '201': { description: Created., content: { application/json: { schema: { type: object, properties: { ok: { type: boolean } } } } } }
  /pets/{petId}:
    get:
      operationId: getPet
      deprecated: true
      x-deprecated-since: '2026-01-01'
      x-deprecated-sunset: '2026-11-30'
      parameters:
        - { name: petId, in: path, required: true, schema: { type: integer } }
      responses:
        '200': { description: A pet., content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
        '404': { description: None., x-error-codes: [no_pet] }
  /index:
    post:
      operationId: rebuildIndex
      x-internal: true
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Shard' } } } }
      responses: {}
components:
  securitySchemes:
    apiKey: { type: http, scheme: bearer }
  schemas:
    NewOrder:
      type: object
      required: [count]
      properties:
        count: { type: integer }
        note: { type: string, default: none }
        gift: { type: boolean }
    Order:
      type: object
      required: [id]
      properties:
        id: { type: integer }
        hint: { type: string, x-extensible-enum: [big, small] }
        kind: { type: string }
    Pet: { type: object, properties: { name: { type: string } } }
    Shard: { type: object, properties: { number: { type: integer } } }
    Unused: { type: string }
`;

function compare(base: string, revision: string): string[] {
  return linesOf(compareContracts(base, revision, '2026-12-01').changes);
}

type Row = readonly [change: string, before: string, after: string, ...lines: string[]];

const LIST = 'GET /orders';
const PAGE = '- { name: page, in: query, schema: { type: integer, default: 1 } }\n';

const ROWS: readonly Row[] = [
  // Operations.
  [
    'an operationId',
    'operationId: listOrders',
    'operationId: orders',
    `major: ${LIST}: operationId changes from "listOrders" to "orders": it is the name of the client's method`,
  ],
  [
    'an operation comes',
    '  /pets/{petId}:\n',
    '  /shops:\n    get: { operationId: listShops, responses: {} }\n  /pets/{petId}:\n',
    'minor: GET /shops: is new',
  ],
  [
    'a method goes',
    '    post:\n',
    '    put:\n',
    'major: POST /orders: is gone',
    'minor: PUT /orders: is new',
  ],
  [
    'a path is renamed',
    '  /orders:\n',
    '  /all-orders:\n',
    'major: GET /orders: is gone',
    'major: POST /orders: is gone',
    'minor: GET /all-orders: is new',
    'minor: POST /all-orders: is new',
  ],
  [
    'an operation becomes internal',
    'operationId: listOrders\n',
    'operationId: listOrders\n      x-internal: true\n',
    `major: ${LIST}: is gone`,
    'major: Order: is gone, and is a name of the client',
    'patch: the description of the API: tags changes from [{"name":"orders"}] to []',
  ],
  [
    'an internal operation is published',
    '      x-internal: true\n',
    '',
    'minor: POST /index: is new',
    'patch: Shard: is a new name of the client',
  ],
  ['an internal operation changes', 'operationId: rebuildIndex', 'operationId: buildIndex'],
  ['what internal operations use changes', 'number: { type: integer }', 'number: { type: string }'],
  [
    'a summary',
    'summary: List orders',
    'summary: All orders',
    `patch: ${LIST}: summary changes from "List orders" to "All orders"`,
  ],
  ['a summary goes', '      summary: List orders\n', '', `patch: ${LIST}: loses summary: "List orders"`],
  [
    'tags of an operation',
    'tags: [orders]',
    'tags: [orders, shop]',
    `patch: ${LIST}: tags changes from ["orders"] to ["orders","shop"]`,
  ],
  [
    'the title',
    'title: A shop',
    'title: The shop',
    'patch: the description of the API: title changes from "A shop" to "The shop"',
  ],
  [
    'tags of the document',
    'tags: [{ name: orders }]',
    'tags: []',
    'patch: the description of the API: tags changes from [{"name":"orders"}] to []',
  ],
  // Parameters.
  [
    'an optional parameter comes',
    PAGE,
    `${PAGE}        - { name: size, in: query, schema: {} }\n`,
    `minor: ${LIST}, parameter size: is new, and may be sent in the query`,
  ],
  [
    'a required parameter comes',
    PAGE,
    `${PAGE}        - { name: size, in: query, required: true, schema: {} }\n`,
    `major: ${LIST}, parameter size: is new, and must be sent in the query`,
  ],
  [
    'a parameter goes',
    PAGE,
    '# none\n',
    `major: ${LIST}, parameter page: may no longer be sent in the query`,
  ],
  [
    'a parameter is renamed',
    'name: page',
    'name: number',
    `major: ${LIST}, parameter page: may no longer be sent in the query`,
    `minor: ${LIST}, parameter number: is new, and may be sent in the query`,
  ],
  [
    'a parameter moves into a header',
    'name: page, in: query',
    'name: page, in: header',
    `major: ${LIST}, parameter page: may no longer be sent in the query`,
    `minor: ${LIST}, parameter page: is new, and may be sent in the header`,
  ],
  [
    'a path parameter is renamed',
    '/pets/{petId}:\n    get:\n',
    '/pets/{id}:\n    get:\n',
    'major: GET /pets/{id}, parameter id: is now called id, and was petId: it is a name of the client',
  ],
  [
    'a header parameter in other letters',
    'name: X-Trace',
    'name: x-trace',
    `major: ${LIST}, parameter x-trace: is now called x-trace, and was X-Trace: it is a name of the client`,
  ],
  [
    'a parameter becomes required',
    'page, in: query,',
    'page, in: query, required: true,',
    `major: ${LIST}, parameter page: must now be sent`,
  ],
  [
    'a default changes',
    'default: 1',
    'default: 2',
    `major: ${LIST}, parameter page: default changes from 1 to 2: leaving it out means something else`,
  ],
  [
    'a default goes',
    ', default: 1',
    '',
    `major: ${LIST}, parameter page: loses default: 1: leaving it out means something else`,
  ],
  [
    'a default comes',
    'X-Trace, in: header, schema: { type: string',
    'X-Trace, in: header, schema: { type: string, default: no',
    `major: ${LIST}, parameter X-Trace: gets default: "no": leaving it out means something else`,
  ],
  [
    'a list is sent in another form',
    'explode: true',
    'explode: false',
    `major: ${LIST}, parameter tag: explode changes from true to false: it is sent in another form`,
  ],
  [
    'a parameter is described',
    'name: page,',
    'name: page, description: The page.,',
    `patch: ${LIST}, parameter page: gets description: "The page."`,
  ],
  [
    'a parameter is deprecated',
    'name: page,',
    'name: page, deprecated: true,',
    `minor: ${LIST}, parameter page: gets deprecated: true`,
  ],
  // Request bodies.
  [
    'a body becomes optional',
    '        required: true\n',
    '',
    'major: POST /orders, body: is passed as `body` in the client, and its fields stood beside the parameters',
    'minor: POST /orders, body: may now be left out',
  ],
  [
    'a body of another type',
    'required: true\n        content: { application/json:',
    'required: true\n        content: { text/plain:',
    'major: POST /orders, body: is no longer taken as application/json',
    'minor: POST /orders, body: may be sent as text/plain',
  ],
  [
    'a required field comes',
    'gift: {',
    'size: { type: string }\n        gift: {',
    'minor: NewOrder.size: is new, and may be sent',
  ],
  [
    'an optional field becomes required',
    'required: [count]',
    'required: [count, gift]',
    'major: NewOrder.gift: must now be sent',
  ],
  [
    'a field becomes optional',
    'required: [count]',
    'required: []',
    'minor: NewOrder.count: may now be left out',
  ],
  [
    'a field of a body with the name of a parameter',
    '      requestBody:\n        required: true',
    '      parameters: [{ name: note, in: header, schema: { type: string } }]\n      requestBody:\n        required: true',
    'major: POST /orders, body: is passed as `body` in the client, and its fields stood beside the parameters',
    'minor: POST /orders, parameter note: is new, and may be sent in the header',
  ],
  [
    'a body that is composed',
    "schema: { $ref: '#/components/schemas/NewOrder' }",
    "schema: { allOf: [{ $ref: '#/components/schemas/NewOrder' }] }",
    'major: POST /orders, body: is passed as `body` in the client, and its fields stood beside the parameters',
  ],
  ['a field goes', '        gift: { type: boolean }\n', '', 'major: NewOrder.gift: may no longer be sent'],
  [
    'a field is renamed',
    'gift: {',
    'present: {',
    'major: NewOrder.gift: may no longer be sent',
    'minor: NewOrder.present: is new, and may be sent',
  ],
  [
    'a field becomes readOnly',
    'gift: { type: boolean',
    'gift: { type: boolean, readOnly: true',
    'major: NewOrder.gift: is now readOnly: it may no longer be sent',
  ],
  [
    'the default of a field changes',
    'default: none',
    'default: some',
    'major: NewOrder.note: default changes from "none" to "some": leaving it out means something else',
  ],
  [
    'a field gets a default',
    'gift: { type: boolean',
    'gift: { type: boolean, default: false',
    'minor: NewOrder.gift: gets default: false: leaving it out means something else',
  ],
  [
    'unknown fields are refused',
    'required: [count]',
    'required: [count]\n      additionalProperties: false',
    'major: NewOrder: gets additionalProperties: false: takes less than before',
  ],
  // Replies.
  [
    'a status comes',
    "        '304': {",
    "        '202': { description: Accepted. }\n        '304': {",
    `minor: ${LIST}, response 202: is new`,
  ],
  [
    'a status goes',
    "        '304': { description: Not modified. }\n",
    '',
    `major: ${LIST}, response 304: is gone`,
  ],
  [
    'another status',
    "'201'",
    "'200'",
    'major: POST /orders, response 201: is gone',
    'minor: POST /orders, response 200: is new',
  ],
  [
    'a reply in other words',
    'description: Orders.',
    'description: All orders.',
    `patch: ${LIST}, response 200: description changes from "Orders." to "All orders."`,
  ],
  [
    'a reply of another type',
    'schema: { type: string } }\n          content: { application/json:',
    'schema: { type: string } }\n          content: { text/csv:',
    `major: ${LIST}, response 200: no longer has application/json`,
    `minor: ${LIST}, response 200: may have text/csv`,
  ],
  [
    'a reply gets a body',
    'description: Not modified. }',
    'description: Not modified., content: { application/json: { schema: {} } } }',
    `minor: ${LIST}, response 304: may have application/json`,
  ],
  [
    'a field of a reply comes',
    'kind: {',
    'size: { type: string }\n        kind: {',
    'minor: Order.size: is new in replies',
  ],
  [
    'a field of a reply goes',
    '        kind: { type: string }\n',
    '',
    'major: Order.kind: is no longer there in replies',
  ],
  [
    'a field of a reply becomes writeOnly',
    'kind: { type: string',
    'kind: { type: string, writeOnly: true',
    'major: Order.kind: is now writeOnly: it is no longer there in replies',
  ],
  [
    'a field of a reply may be missing',
    'required: [id]',
    'required: []',
    'major: Order.id: may now be missing, and was always there',
  ],
  [
    'a field of a reply is always there',
    'required: [id]',
    'required: [id, kind]',
    'minor: Order.kind: is now always there',
  ],
  [
    'an inline field goes',
    'ok: { type: boolean }',
    'done: { type: boolean }',
    'major: POST /orders, response 201, ok: is no longer there in replies',
    'minor: POST /orders, response 201, done: is new in replies',
  ],
  [
    'an open list grows',
    '[big, small]',
    '[big, small, tiny]',
    'minor: Order.hint: may have the new value tiny',
  ],
  ['an open list shrinks', '[big, small]', '[big]', 'major: Order.hint: no longer has the value small'],
  [
    'an open list is closed',
    'x-extensible-enum',
    'enum',
    'minor: Order.hint: gets enum: ["big","small"]: promises more than before',
  ],
  [
    'an open list goes',
    ', x-extensible-enum: [big, small]',
    '',
    'major: Order.hint: no longer has the value big',
    'major: Order.hint: no longer has the value small',
  ],
  [
    'a reply needs no default',
    'kind: { type: string',
    'kind: { type: string, default: a',
    'patch: Order.kind: gets default: "a"',
  ],
  // Headers of replies.
  [
    'a header goes',
    '            X-Total: { required: true, schema: { type: integer } }\n',
    '',
    `major: ${LIST}, response 200: no longer has the header X-Total`,
  ],
  [
    'a header comes',
    '            Link: {',
    '            ETag: { schema: { type: string } }\n            Link: {',
    `minor: ${LIST}, response 200: has the new header ETag`,
  ],
  [
    'a header may be missing',
    'X-Total: { required: true',
    'X-Total: { required: false',
    `major: ${LIST}, response 200, header X-Total: may now be missing, and was always there`,
  ],
  [
    'a header is always there',
    'Link: {',
    'Link: { required: true,',
    `minor: ${LIST}, response 200, header Link: is now always there`,
  ],
  [
    'a header of another type',
    'X-Total: { required: true, schema: { type: integer',
    'X-Total: { required: true, schema: { type: string',
    `major: ${LIST}, response 200, header X-Total: type changes from "integer" to "string": promises something else than before`,
  ],
  // Names, and what leaves with an operation whose sunset has come.
  [
    'a schema is gone',
    '    Unused: { type: string }\n',
    '',
    'major: Unused: is gone, and is a name of the client',
  ],
  [
    'a schema comes',
    '    Unused: {',
    '    More: { type: string }\n    Unused: {',
    'patch: More: is a new name of the client',
  ],
  [
    'a schema of no operation',
    'Unused: { type: string',
    'Unused: { type: integer',
    'patch: Unused: changes, and is in no request or reply',
  ],
];

const PATHS: Record<string, readonly Edit[]> = {
  'a path parameter is renamed': [['name: petId', 'name: id']],
};

test.each(ROWS)('%s', (change, before, after, ...lines) => {
  const revision = (PATHS[change] ?? []).reduce(
    (text, each) => edit(text, ...each),
    edit(SHOP, before, after),
  );
  expect(compare(SHOP, revision)).toEqual(lines);
});

/** A schema that becomes another: what it means in a request, and in a reply. */
const SCHEMAS: readonly (readonly [from: string, to: string, request: string, reply: string])[] = [
  ['type: string', 'type: integer', 'major', 'major'],
  ['type: integer', 'type: number', 'minor', 'major'],
  ['type: number', 'type: integer', 'major', 'minor'],
  ['type: string', "type: [string, 'null']", 'minor', 'major'],
  ["type: [string, 'null']", 'type: string', 'major', 'minor'],
  ['type: string', "oneOf: [{ type: string }, { type: 'null' }]", 'minor', 'major'],
  ["type: [string, 'null']", "oneOf: [{ type: string }, { type: 'null' }]", '', ''],
  ['type: string', '{}', 'minor', 'major'],
  ['type: string', 'type: string, format: uuid', 'major', 'minor'],
  ['type: string, format: date', 'type: string, format: date-time', 'major', 'major'],
  ['type: integer, format: int32', 'type: integer, format: int64', 'minor', 'major'],
  ['type: string', 'type: string, enum: [a, b]', 'major', 'minor'],
  ['type: string, enum: [a]', 'type: string, enum: [a, b]', 'minor', 'major'],
  ['type: string, enum: [a, b]', 'type: string, enum: [a]', 'major', 'minor'],
  ['type: string, enum: [a, b]', 'type: string, enum: [b, c]', 'major', 'major'],
  ['type: string, enum: [a, b]', 'type: string, enum: [b, a]', '', ''],
  ['type: string, const: a', 'type: string, enum: [a]', '', ''],
  ['type: string, const: a', 'type: string, const: b', 'major', 'major'],
  ['type: integer, minimum: 1', 'type: integer, minimum: 0', 'minor', 'major'],
  ['type: integer, minimum: 1', 'type: integer, minimum: 2', 'major', 'minor'],
  ['type: integer', 'type: integer, maximum: 9', 'major', 'minor'],
  ['type: integer, maximum: 9', 'type: integer, maximum: 10', 'minor', 'major'],
  ['type: integer, minimum: 1', 'type: integer, exclusiveMinimum: 0', '', ''],
  ['type: number, minimum: 0', 'type: number, exclusiveMinimum: 0', 'major', 'minor'],
  ['type: number, exclusiveMaximum: 9', 'type: number, maximum: 9', 'minor', 'major'],
  ['type: string', 'type: string, minLength: 0', '', ''],
  ['type: string', 'type: string, minLength: 1', 'major', 'minor'],
  ['type: string, maxLength: 8', 'type: string, maxLength: 9', 'minor', 'major'],
  ['type: string, maxLength: 8', 'type: string', 'minor', 'major'],
  ['type: array, items: {}', 'type: array, items: {}, maxItems: 8', 'major', 'minor'],
  ['type: array, items: {}', 'type: array, items: {}, uniqueItems: true', 'major', 'minor'],
  ['type: array, items: { type: string }', 'type: array, items: { type: integer }', 'major', 'major'],
  ['type: string', 'type: string, pattern: ^a$', 'major', 'minor'],
  ['type: string, pattern: ^a$', 'type: string', 'minor', 'major'],
  ['type: string, pattern: ^a$', 'type: string, pattern: ^b$', 'major', 'major'],
  ['type: integer, multipleOf: 5', 'type: integer, multipleOf: 10', 'major', 'minor'],
  ['type: integer, multipleOf: 10', 'type: integer, multipleOf: 5', 'minor', 'major'],
  [
    'type: object, additionalProperties: { type: integer }',
    'type: object, additionalProperties: { type: number }',
    'minor',
    'major',
  ],
  [
    'type: object, properties: {}',
    'type: object, properties: {}, additionalProperties: false',
    'major',
    'patch',
  ],
  ['type: string', 'type: string, not: { const: a }', 'major', 'minor'],
  ['type: string', 'oneOf: [{ type: string }, { type: integer }]', 'minor', 'major'],
  ['oneOf: [{ type: string }, { type: integer }]', 'oneOf: [{ type: integer }]', 'major', 'minor'],
  ['anyOf: [{ type: string }, { type: integer }]', 'anyOf: [{ type: integer }, { type: string }]', '', ''],
  [
    'oneOf: [{ type: string }, { type: integer }]',
    'oneOf: [{ type: string }, { type: integer, maximum: 9 }]',
    'major',
    'minor',
  ],
  ['type: string, maxLength: 8', 'allOf: [{ type: string }, { maxLength: 8 }]', '', ''],
  [
    'allOf: [{ type: string }, { maxLength: 8 }]',
    'allOf: [{ type: string, maxLength: 7 }, { maxLength: 8 }]',
    'major',
    'minor',
  ],
  ['type: string', "$ref: '#/components/schemas/Unused'", '', ''],
  ['type: string', 'type: string, description: A word.', 'patch', 'patch'],
  ['type: string', 'type: string, example: a', '', ''],
  ['type: string', 'type: string, deprecated: true', 'minor', 'minor'],
];

test.each(SCHEMAS)('{ %s } becomes { %s }: %s in a request, %s in a reply', (from, to, request, reply) => {
  const impacts = (marker: string) => {
    const written = (schema: string) =>
      edit(SHOP, marker, `probe: { ${schema === '{}' ? '' : schema} }\n        ${marker}`);
    const lines = compare(written(from), written(to));
    return [...new Set(lines.map((line) => line.split(':')[0]))].join();
  };
  expect([impacts('gift: {'), impacts('kind: {')]).toEqual([request, reply]);
});

test('what changes in a shared schema is said of requests and of replies', () => {
  const shared = edit(SHOP, 'schemas/NewOrder', 'schemas/Order');
  expect(compare(shared, edit(shared, 'kind: { type: string', 'kind: { type: string, maxLength: 8'))).toEqual(
    [
      'major: Order.kind: gets maxLength: 8: takes less than before',
      'minor: Order.kind: gets maxLength: 8: promises more than before',
    ],
  );
});

test('an operation whose sunset has come may leave with a minor version, with what only it used', () => {
  const code = '  no_pet: { status: 404, description: There is no such pet. }\n';
  const without = ['    Pet: { type: object, properties: { name: { type: string } } }\n', code].reduce(
    (text, piece) => edit(text, piece, ''),
    cut(SHOP, '  /pets/{petId}:', '  /index:'),
  );
  expect(compare(SHOP, without)).toEqual([
    'minor: GET /pets/{petId}: is gone, as was announced for 2026-11-30',
    'minor: Pet: is gone, with all that used it',
    'minor: error code no_pet: is gone',
  ]);
});

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
      'components:\n',
      'components:\n  parameters:\n    Pet: { name: petId, in: path, required: true, schema: { type: integer } }\n',
    ],
    [
      "schema: { $ref: '#/components/schemas/Pet' }",
      'schema: { type: object, properties: { name: { type: string } } }',
    ],
    ['X-Total', 'x-total'],
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

test('the notice of an end may go with it', () => {
  const deprecated = /deprecated: true\n.*since.*\n.*sunset.*\n/;
  const header = '            Sunset: { required: true, schema: { type: string } }\n';
  const text = contract.replace(deprecated, "x-was: ''\n").replace(header, '');
  expect(compare(contract, text).filter((each) => !each.startsWith('patch'))).toEqual([
    'minor: GET /pets/{petId}, response 204: no longer has the header Sunset',
    'minor: GET /pets/{petId}: is no longer deprecated',
  ]);
  expect(compare(contract, changed([header, '']))).toEqual([
    'major: GET /pets/{petId}, response 204: no longer has the header Sunset',
  ]);
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
