import { compareContracts } from '../../src/release/compare-contracts.ts';
import { changed, contract, type Edit } from '../support/contract.ts';
import { cut, edit } from '../support/edit.ts';
import { compare, SHOP } from '../support/shop.ts';

/** A piece of a contract, what it becomes, and the changes that are reported. */
type Row = readonly [before: string, after: string, ...reported: string[]];

function testRows(contract: string, rows: readonly Row[]): void {
  const cases = rows.map(([before, after, ...reported]) => {
    const title = `${JSON.stringify(before)} becomes ${JSON.stringify(after)}`;
    return { title, revision: edit(contract, before, after), reported };
  });
  test.each(cases)('$title', ({ revision, reported }) => {
    expect(compare(contract, revision)).toEqual(reported);
  });
}

describe('request bodies', () => {
  testRows(SHOP, [
    [
      'required: true\n        content: { application/json:',
      'required: true\n        content: { text/plain:',
      'major: POST /orders, body: no longer takes application/json',
      'minor: POST /orders, body: also takes text/plain',
    ],
    ['gift: {', 'size: { type: string }\n        gift: {', 'minor: NewOrder.size: is new and optional'],
    [
      'required: [count]',
      'required: [count, gift]',
      'major: NewOrder.gift: is now required: requests without it are rejected',
    ],
    ['required: [count]', 'required: []', 'minor: NewOrder.count: is now optional'],
    [
      '      requestBody:\n        required: true',
      '      parameters: [{ name: note, in: header, schema: { type: string } }]\n      requestBody:\n        required: true',
      "major: POST /orders, body: is passed to the client's method as `body`, and was passed as fields",
      'minor: POST /orders, parameter note: is new and optional in the header',
    ],
    [
      "schema: { $ref: '#/components/schemas/NewOrder' }",
      "schema: { allOf: [{ $ref: '#/components/schemas/NewOrder' }] }",
      "major: POST /orders, body: is passed to the client's method as `body`, and was passed as fields",
    ],
    ['        gift: { type: boolean }\n', '', 'major: NewOrder.gift: may no longer be sent'],
    [
      'gift: { type: boolean',
      'gift: { type: boolean, readOnly: true',
      'major: NewOrder.gift: is now readOnly: it may no longer be sent',
    ],
    [
      'default: none',
      'default: some',
      'major: NewOrder.note: default changes from "none" to "some": requests without it mean something else',
    ],
    [
      'gift: { type: boolean',
      'gift: { type: boolean, default: false',
      'minor: NewOrder.gift: gets default: false: requests without it mean something else',
    ],
    [
      'required: [count]\n      properties:\n',
      'required: [count, size]\n      properties:\n        size: { type: string, default: big }\n',
      'minor: NewOrder.size: is new and optional',
    ],
    ['required: [count]', 'required: [count, note]'],
    [
      'count: { type: integer',
      'count: { type: integer, default: 1',
      'minor: NewOrder.count: is now optional',
      'minor: NewOrder.count: gets default: 1: requests without it mean something else',
    ],
    [
      'gift: { type: boolean }',
      "gift: { $ref: '#/components/schemas/Pet' }",
      'major: NewOrder.gift: type changes from "boolean" to "object": requests that were valid may be rejected',
    ],
    [
      'required: [count]\n      properties:\n',
      "required: [count, pet]\n      properties:\n        pet: { $ref: '#/components/schemas/Pet' }\n",
      'major: NewOrder.pet: is new and required: requests without it are rejected',
    ],
    [
      'required: [count]',
      'required: [count]\n      additionalProperties: false',
      'major: NewOrder: gets additionalProperties: false: requests that were valid are rejected',
    ],
  ]);
});

describe('operations', () => {
  testRows(SHOP, [
    [
      'operationId: listOrders',
      'operationId: orders',
      `major: GET /orders: operationId changes from "listOrders" to "orders": it names the client's method`,
    ],
    [
      '  /pets/{petId}:\n',
      '  /shops:\n    get: { operationId: listShops, responses: {} }\n  /pets/{petId}:\n',
      'minor: GET /shops: is new',
    ],
    ['    post:\n', '    put:\n', 'major: POST /orders: is gone', 'minor: PUT /orders: is new'],
    [
      'title: A shop',
      'title: The shop',
      'patch: the description of the API: title changes from "A shop" to "The shop"',
    ],
    [
      'tags: [{ name: orders }]',
      'tags: []',
      'patch: the description of the API: tags changes from [{"name":"orders"}] to []',
    ],
    ['    Unused: { type: string }\n', '', 'major: Unused: is gone: code that uses the client names it'],
    [
      '    Unused: {',
      '    More: { type: string }\n    Unused: {',
      'patch: More: is a new type of the client',
    ],
    [
      'Unused: { type: string',
      'Unused: { type: integer',
      'patch: Unused: changes, and is in no request or response',
    ],
  ]);
});

describe('parameters', () => {
  testRows(SHOP, [
    [
      '- { name: page, in: query, schema: { type: integer, default: 1 } }\n',
      '- { name: page, in: query, schema: { type: integer, default: 1 } }\n        - { name: size, in: query, schema: {} }\n',
      'minor: GET /orders, parameter size: is new and optional in the query',
    ],
    [
      '- { name: page, in: query, schema: { type: integer, default: 1 } }\n',
      '- { name: page, in: query, schema: { type: integer, default: 1 } }\n        - { name: size, in: query, required: true, schema: {} }\n',
      'major: GET /orders, parameter size: is new and required in the query: requests without it are rejected',
    ],
    [
      '- { name: page, in: query, schema: { type: integer, default: 1 } }\n',
      '# none\n',
      'major: GET /orders, parameter page: may no longer be sent in the query',
    ],
    [
      'name: page, in: query',
      'name: page, in: header',
      'major: GET /orders, parameter page: may no longer be sent in the query',
      'minor: GET /orders, parameter page: is new and optional in the header',
    ],
    [
      'name: X-Trace',
      'name: x-trace',
      'major: GET /orders, parameter x-trace: is now called x-trace, and was X-Trace: code that uses the client names it',
    ],
    [
      'page, in: query,',
      'page, in: query, required: true,',
      'major: GET /orders, parameter page: is now required: requests without it are rejected',
    ],
    [
      'default: 1',
      'default: 2',
      'major: GET /orders, parameter page: default changes from 1 to 2: requests without it mean something else',
    ],
    [
      ', default: 1',
      '',
      'major: GET /orders, parameter page: loses default: 1: requests without it mean something else',
    ],
    [
      'X-Trace, in: header, schema: { type: string',
      'X-Trace, in: header, schema: { type: string, default: no',
      'major: GET /orders, parameter X-Trace: gets default: "no": requests without it mean something else',
    ],
    [
      'explode: true',
      'explode: false',
      'major: GET /orders, parameter tag: explode changes from true to false: lists are sent in another form',
    ],
    [
      'items: { type: string }',
      'items: { type: integer }',
      'major: GET /orders, parameter tag[]: type changes from "string" to "integer": requests that were valid may be rejected',
    ],
    [
      '- { name: page, in: query, schema: { type: integer, default: 1 } }\n',
      "- { name: page, in: query, schema: { type: integer, default: 1 } }\n        - { $ref: '#/components/parameters/Since' }\n",
      'minor: GET /orders, parameter since: is new and optional in the query',
    ],
    [
      'name: row, in: query',
      'name: row, in: query, required: true',
      'major: PUT /shelf, parameter row: is now required: requests without it are rejected',
    ],
    [
      'name: page,',
      'name: page, deprecated: true,',
      'minor: GET /orders, parameter page: gets deprecated: true',
    ],
  ]);
});

describe('responses', () => {
  testRows(SHOP, [
    ["        '304': { description: Not modified. }\n", '', 'major: GET /orders, response 304: is gone'],
    [
      'description: Orders.',
      'description: All orders.',
      'patch: GET /orders, response 200: description changes from "Orders." to "All orders."',
    ],
    [
      'schema: { type: string } }\n          content: { application/json:',
      'schema: { type: string } }\n          content: { text/csv:',
      'major: GET /orders, response 200: is no longer application/json',
      'minor: GET /orders, response 200: may now be text/csv',
    ],
    ['kind: {', 'size: { type: string }\n        kind: {', 'minor: Order.size: is new in responses'],
    ['        kind: { type: string }\n', '', 'major: Order.kind: is no longer in responses'],
    [
      'kind: { type: string',
      'kind: { type: string, writeOnly: true',
      'major: Order.kind: is now writeOnly: it is no longer in responses',
    ],
    ['required: [id]', 'required: []', 'major: Order.id: may now be missing: clients rely on it'],
    ['required: [id]', 'required: [id, kind]', 'minor: Order.kind: is now always present'],
    [
      'ok: { type: boolean }',
      'done: { type: boolean }',
      'major: POST /orders, response 201, ok: is no longer in responses',
      'minor: POST /orders, response 201, done: is new in responses',
    ],
    ['[big, small]', '[big, small, tiny]', 'minor: Order.hint: gets the new value tiny'],
    ['[big, small]', '[big]', 'major: Order.hint: loses the value small'],
    [
      'x-extensible-enum',
      'enum',
      'minor: Order.hint: gets enum: ["big","small"]: clients get only what they got before',
    ],
    [
      ', x-extensible-enum: [big, small]',
      '',
      'major: Order.hint: loses the value big',
      'major: Order.hint: loses the value small',
    ],
    [
      '            X-Total: { required: true, schema: { type: integer } }\n',
      '',
      'major: GET /orders, response 200: loses the header X-Total',
    ],
    [
      '            Link: {',
      '            ETag: { schema: { type: string } }\n            Link: {',
      'minor: GET /orders, response 200: gets the header ETag',
    ],
    [
      'X-Total: { required: true',
      'X-Total: { required: false',
      'major: GET /orders, response 200, header X-Total: may now be missing: clients rely on it',
    ],
    [
      'Link: {',
      'Link: { required: true,',
      'minor: GET /orders, response 200, header Link: is now always present',
    ],
    [
      'X-Total',
      'x-total',
      'major: GET /orders, response 200, header x-total: is now called x-total, and was X-Total: code that uses the client names it',
    ],
    [
      "{ $ref: '#/components/schemas/Order' }",
      "{ type: array, items: { $ref: '#/components/schemas/Order' } }",
      'major: GET /orders, response 200: type changes from "object" to "array": clients may get something else than before',
    ],
    [
      'X-Total: { required: true, schema: { type: integer',
      'X-Total: { required: true, schema: { type: string',
      'major: GET /orders, response 200, header X-Total: type changes from "integer" to "string": clients may get something else than before',
    ],
  ]);
});

/** Two pieces of a contract, and the changes from the one to the other and back. */
type RowBothWays = readonly [one: string, other: string, there: string[], back: string[]];

function testBothWays(rows: readonly RowBothWays[]): void {
  test.each(rows)('%j and %j, both ways', (one, other, there, back) => {
    const revision = changed([one, other]);
    expect([compare(contract, revision), compare(revision, contract)]).toEqual([there, back]);
  });
}

describe('plans', () => {
  testBothWays([
    [
      'perMinute: 60',
      'perMinute: 59',
      ['major: plan free: requests per minute fall from 60 to 59'],
      ['minor: plan free: requests per minute rise from 59 to 60'],
    ],
    [
      'perMinute: 300, perDay: 10000',
      'perMinute: 300, perDay: custom',
      ['major: plan pro: requests per day change from 10000 to custom'],
      ['major: plan pro: requests per day change from custom to 10000'],
    ],
    [
      '  free: { name: Free, perMinute: 60, perDay: 1000 }\n',
      '\n',
      ['major: plan free: is gone'],
      ['minor: plan free: is new: 60 requests per minute, 1000 requests per day'],
    ],
  ]);
  testRows(contract, [['name: Pro', 'name: Team', 'patch: plan pro: name changes from "Pro" to "Team"']]);
});

describe('error codes', () => {
  const unauthorized = '  unauthorized: { status: 401, description: The API key is missing. }\n';
  const codes = 'x-error-codes: [rate_limit_exceeded]';
  testBothWays([
    [
      unauthorized,
      '\n',
      ['major: error code unauthorized: is gone'],
      ['minor: error code unauthorized: is new, with status 401'],
    ],
    [
      codes,
      'x-error-codes: [rate_limit_exceeded, api_key_banned]',
      ['minor: response TooManyRequests: gets the new code api_key_banned'],
      ['major: response TooManyRequests: loses the code api_key_banned'],
    ],
  ]);
  testRows(contract, [
    [
      'unauthorized: { status: 401',
      'unauthorized: { status: 403',
      'major: error code unauthorized: has status 403 instead of 401',
    ],
    [
      'description: The API key is missing. }',
      'description: Send a key. }',
      'patch: error code unauthorized: description changes from "The API key is missing." to "Send a key."',
    ],
  ]);
  // A response without a list has promised no codes.
  testRows(edit(contract, codes, '# no codes'), [['# no codes', codes]]);
});

describe('deprecation', () => {
  const dates = "x-deprecated-since: '2026-11-01'\n      x-deprecated-sunset: '2027-06-30'\n";
  const sunset = "x-deprecated-sunset: '2027-06-30'";
  testBothWays([
    [
      sunset,
      "x-deprecated-sunset: '2027-06-29'",
      ['major: GET /pets/{petId}: goes away on 2027-06-29, earlier than 2027-06-30'],
      ['patch: GET /pets/{petId}: stays until 2027-06-30, longer than 2027-06-29'],
    ],
    [
      sunset,
      '# no sunset',
      ['major: GET /pets/{petId}: may go away at any time, and was to stay until 2027-06-30'],
      ['minor: GET /pets/{petId}: goes away on 2027-06-30'],
    ],
    [
      `deprecated: true\n      ${dates}`,
      '# current\n',
      ['minor: GET /pets/{petId}: is no longer deprecated'],
      ['minor: GET /pets/{petId}: is deprecated, and goes away on 2027-06-30'],
    ],
  ]);
  testRows(contract, [
    [
      "'2026-11-01'",
      "'2026-10-01'",
      'patch: GET /pets/{petId}: is deprecated since 2026-10-01 instead of 2026-11-01',
    ],
  ]);

  const current = edit(contract, `deprecated: true\n      ${dates}`, '# current\n');
  test.each([
    ['2026-12-02', 'in 1 day'],
    ['2026-11-30', 'already'],
  ])('is an alarm if the sunset on %s leaves less than 180 days', (date, when) => {
    const revision = changed([sunset, `x-deprecated-sunset: '${date}'`]);
    expect(compareContracts(current, revision, '2026-12-01').changes).toMatchObject([
      {
        impact: 'major',
        what: `is deprecated, and goes away on ${date}, ${when}: callers need 180 days to leave`,
        alarm: true,
      },
    ]);
  });
});

describe('stability', () => {
  const beta = 'operationId: listOrders\n      x-stability: beta';
  testBothWays([
    [
      'operationId: listOrders',
      beta,
      ['major: GET /orders: is beta, and was stable'],
      ['minor: GET /orders: is stable, and was beta'],
    ],
  ]);
  testRows(edit(contract, 'operationId: listOrders', beta), [
    ['x-stability: beta', 'x-stability: experimental', 'major: GET /orders: is experimental, and was beta'],
  ]);
});

describe('servers', () => {
  const api = '  - { url: https://api.petstore.example/v1, description: Production }\n';
  const localhost = '  - url: http://localhost:3000/v1\n';
  testBothWays([
    [
      api,
      '\n',
      ['major: server https://api.petstore.example/v1: is gone'],
      ['minor: server https://api.petstore.example/v1: is new'],
    ],
    [
      // It only begins like an address of this machine.
      'http://localhost:3000',
      'http://localhost.petstore.example',
      [
        'minor: server http://localhost.petstore.example/v1: is new',
        'patch: server http://localhost:3000/v1: is gone',
      ],
      [
        'major: server http://localhost.petstore.example/v1: is gone',
        'patch: server http://localhost:3000/v1: is new',
      ],
    ],
  ]);
  testRows(contract, [
    [
      'https://api.petstore.example/v1',
      'https://API.petstore.example/v1/',
      'patch: server https://api.petstore.example/v1: url changes from "https://api.petstore.example/v1" to "https://API.petstore.example/v1/"',
    ],
    [
      'description: Production',
      'description: Live',
      'major: server https://api.petstore.example/v1: is now called live, and was production: code that uses the client names it',
    ],
    [
      'description: Production',
      "description: 'Production, in Europe'",
      'patch: server https://api.petstore.example/v1: description changes from "Production" to "Production, in Europe"',
    ],
    [api + localhost, localhost + api],
  ]);
});

describe('security', () => {
  const root = 'security:\n  - apiKey: []\n';
  const scheme = 'apiKey: { type: http, scheme: bearer }';
  const list = 'operationId: listOrders';
  const secured = (security: string) => `${list}\n      security: ${security}`;
  const listIsOpen = 'major: GET /orders: needs no API key, and needed apiKey before';
  const petIsOpen = 'major: GET /pets/{petId}: needs no API key, and needed apiKey before';
  testBothWays([
    [list, secured('[]'), [listIsOpen], ['major: GET /orders: now needs apiKey, and needed nothing before']],
    [
      list,
      secured('[{ apiKey: [] }, { signature: [] }]'),
      ['minor: GET /orders: now accepts signature as well'],
      ['major: GET /orders: no longer accepts signature: it needs apiKey'],
    ],
  ]);
  testRows(contract, [
    [root, '', listIsOpen, petIsOpen],
    [root, 'security: []\n', listIsOpen, petIsOpen],
    [list, secured('[{ apiKey: [] }, {}]'), listIsOpen],
    [list, secured('[{ apiKey: [] }]')],
    [
      list,
      secured('[{ apiKey: [], signature: [] }]'),
      'major: GET /orders: no longer accepts apiKey: it needs apiKey with signature',
    ],
    [
      list,
      secured('[{ signature: [] }]'),
      'major: GET /orders: no longer accepts apiKey: it needs signature',
    ],
    [
      scheme,
      'apiKey: { type: http, scheme: basic }',
      'major: security scheme apiKey: scheme changes from "bearer" to "basic"',
    ],
    [
      scheme,
      'apiKey: { type: http, scheme: bearer, description: Yours. }',
      'patch: security scheme apiKey: gets description: "Yours."',
    ],
  ]);

  test('the name of a scheme is in no request', () => {
    const revision = changed(['apiKey: {', 'token: {'], [root, root.replace('apiKey', 'token')]);
    expect(compare(contract, revision)).toEqual([
      'patch: security scheme apiKey: is gone',
      'patch: security scheme token: is new',
    ]);
  });

  test('an operation that needs no key is an alarm, whether it is new or was opened', () => {
    const health =
      '  /health:\n    get: { operationId: getHealth, security: [], responses: {} }\n\n  /orders:';
    const alarms = (...edits: readonly Edit[]) =>
      compareContracts(contract, changed(...edits), '2026-12-01').changes.filter(({ alarm }) => alarm);
    expect(alarms([list, secured('[]')])).toMatchObject([{ impact: 'major', subject: 'GET /orders' }]);
    expect(alarms(['  /orders:', health])).toMatchObject([
      { impact: 'minor', subject: 'GET /health', what: 'needs no API key' },
    ]);
  });
});

test('an operation may go with a minor version after its sunset, with everything that only it used', () => {
  const code = '  no_pet: { status: 404, description: There is no such pet. }\n';
  const without = ['    Pet: { type: object, properties: { name: { type: string } } }\n', code].reduce(
    (text, piece) => edit(text, piece, ''),
    cut(SHOP, '  /pets/{petId}:', '  /shelf:'),
  );
  expect(compare(SHOP, without)).toEqual([
    'minor: GET /pets/{petId}: is gone, as announced for 2026-11-30',
    'minor: Pet: is gone with all that used it',
    'minor: error code no_pet: is gone',
  ]);
});

test('the header that announces an end may go with the announcement', () => {
  const deprecated = /deprecated: true\n.*since.*\n.*sunset.*\n/;
  const header = '            Sunset: { required: true, schema: { type: string } }\n';
  const text = contract.replace(deprecated, "x-was: ''\n").replace(header, '');
  expect(compare(contract, text).filter((each) => !each.startsWith('patch'))).toEqual([
    'minor: GET /pets/{petId}, response 204: loses the header Sunset',
    'minor: GET /pets/{petId}: is no longer deprecated',
  ]);
  expect(compare(contract, changed([header, '']))).toEqual([
    'major: GET /pets/{petId}, response 204: loses the header Sunset',
  ]);
});

test('a path parameter is renamed', () => {
  const revision = edit(edit(SHOP, '/pets/{petId}:', '/pets/{id}:'), 'name: petId', 'name: id');
  expect(compare(SHOP, revision)).toEqual([
    'major: GET /pets/{id}, parameter id: is now called id, and was petId: code that uses the client names it',
  ]);
});

test('a contract that is only written in another way has not changed', () => {
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

test('changes are reported the gravest first, and each once', () => {
  const revision = changed(
    ['perMinute: 60', 'perMinute: 59'],
    ['  unauthorized: {', '  teapot: { status: 418, description: I am one. }\n  unauthorized: {'],
    ['operationId: listOrders', 'operationId: listOrders\n      security: []\n      x-stability: beta'],
    ["x-deprecated-sunset: '2027-06-30'", "x-deprecated-sunset: '2028-06-30'"],
    ['Retry-After: { required: true', 'Retry-After: { required: false'],
    ['  - url: http://localhost:3000/v1', '  - url: https://eu.petstore.example/v1'],
    ['x-error-codes: [invalid_request]', 'x-error-codes: [invalid_request, teapot]'],
  );
  expect(compare(contract, revision)).toEqual([
    'major: response header Retry-After: may now be missing: clients rely on it',
    'major: GET /orders: needs no API key, and needed apiKey before',
    'major: GET /orders: is beta, and was stable',
    'major: plan free: requests per minute fall from 60 to 59',
    'minor: response BadRequest: gets the new code teapot',
    'minor: error code teapot: is new, with status 418',
    'minor: server https://eu.petstore.example/v1: is new',
    'patch: GET /pets/{petId}: stays until 2028-06-30, longer than 2027-06-30',
    'patch: server http://localhost:3000/v1: is gone',
  ]);
  expect(compareContracts(contract, revision, '2026-12-01').changes).toHaveLength(9);
});
