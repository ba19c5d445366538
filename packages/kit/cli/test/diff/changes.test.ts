import { changed, contract, type Edit } from '../support/contract.ts';
import { cut, edit } from '../support/edit.ts';
import { compare, judged, SHOP } from '../support/shop.ts';

/** A part of a contract, its replacement, and the start of each reported change. */
type Row = readonly [before: string, after: string, ...reported: string[]];

/** Expects exactly these changes, in this order. */
const startingWith = (reported: readonly string[]) =>
  reported.map((start) => expect.stringContaining(start) as string);

function testRows(contract: string, rows: readonly Row[]): void {
  test.each(rows)('%j becomes %j: %s', (before, after, ...reported) => {
    expect(compare(contract, edit(contract, before, after))).toEqual(startingWith(reported));
  });
}

describe('request bodies', () => {
  const body = 'required: true\n        content: { application/json:';
  testRows(SHOP, [
    [
      body,
      body.replace('application/json', 'text/plain'),
      'major: POST /loans, body: no longer takes application/json',
      "major: POST /loans, body: is passed to the client's method as `body`, and was passed as fields",
      'minor: POST /loans, body: also takes text/plain',
      'minor: POST /loans, body: may have at most 1000000 bytes, and was allowed 100000',
    ],
    [
      'operationId: createLoan',
      'x-body-limit: 5000\n      operationId: createLoan',
      'major: POST /loans, body: may have at most 5000 bytes, and was allowed 100000',
    ],
    [
      'operationId: createLoan\n',
      'operationId: createLoan\n      parameters: [{ name: note, in: header, schema: {} }]\n',
      "major: POST /loans, body: is passed to the client's method as `body`, and was passed as fields",
      'minor: POST /loans, parameter note: is new and optional in the header',
    ],
    [
      "schema: { $ref: '#/components/schemas/NewLoan' }",
      "schema: { allOf: [{ $ref: '#/components/schemas/NewLoan' }] }",
      "major: POST /loans, body: is passed to the client's method as `body`, and was passed as fields",
    ],
    ['gift: {', 'size: {}\n        gift: {', 'minor: NewLoan.size: is new and optional'],
    ['        gift: { type: boolean }\n', '', 'major: NewLoan.gift: may no longer be sent'],
    ['gift: {', 'gift: { readOnly: true,', 'major: NewLoan.gift: is now readOnly: it may no longer be sent'],
    ['required: [count]', 'required: [count, gift]', 'major: NewLoan.gift: is now required: requests'],
    ['required: [count]', 'required: []', 'minor: NewLoan.count: is now optional'],
    ['required: [count]', 'required: [count, note]'],
    ['default: none', 'default: some', 'major: NewLoan.note: default changes from "none" to "some"'],
    ['gift: {', 'gift: { default: false,', 'minor: NewLoan.gift: gets default: false: requests without it'],
    [
      'count: { type: integer',
      'count: { type: integer, default: 1',
      'minor: NewLoan.count: is now optional',
      'minor: NewLoan.count: gets default: 1',
    ],
    [
      '[count]\n      properties:\n',
      '[count, size]\n      properties:\n        size: { type: string }\n',
      'major: NewLoan.size: is new and required: requests without it are rejected',
    ],
    [
      '[count]\n      properties:\n',
      '[count, size]\n      properties:\n        size: { type: string, default: big }\n',
      'minor: NewLoan.size: is new and optional',
    ],
  ]);

  const text = edit(SHOP, body, body.replace('application/json', 'text/plain'));
  testRows(text, [
    [
      'content: { text/plain:',
      'content: { application/json: { schema: { type: array } }, text/plain:',
      'major: POST /loans, body: is sent as application/json, and was sent as text/plain',
      'minor: POST /loans, body: also takes application/json',
    ],
    [
      "NewLoan' }",
      "NewLoan' }, encoding: { note: { explode: false } }",
      'major: POST /loans, body: encoding changes: fields are sent in another form',
    ],
  ]);
});

describe('operations', () => {
  const shops = '  /shops: { get: { operationId: listShops, responses: {} } }\n';
  testRows(SHOP, [
    ['Id: listLoans', 'Id: loans', 'major: GET /loans: operationId changes from "listLoans" to "loans"'],
    ['  /books/{bookId}:\n', `${shops}  /books/{bookId}:\n`, 'minor: GET /shops: is new'],
    ['    post:\n', '    put:\n', 'major: POST /loans: is gone', 'minor: PUT /loans: is new'],
    ['title: A shop', 'title: The shop', 'patch: the description of the API: title changes from "A shop"'],
    ['    Unused: { type: string }\n', '', 'major: Unused: is gone: code that uses the client names it'],
    ['    Unused: {', '    More: {}\n    Unused: {', 'patch: More: is a new type of the client'],
    ['Unused: { type: string', 'Unused: {', 'patch: Unused: changes, and is in no request or response'],
  ]);
});

describe('parameters', () => {
  const tag = '- { name: tag';
  const trace = '        - { name: X-Trace, in: header, schema: { type: string } }\n';
  const size = (more: string) => `- { name: size, in: query, schema: {}${more} }\n        ${tag}`;
  testRows(SHOP, [
    [tag, size(''), 'minor: GET /loans, parameter size: is new and optional in the query'],
    [tag, size(', required: true'), 'major: GET /loans, parameter size: is new and required in the query'],
    [trace, '', 'major: GET /loans, parameter X-Trace: may no longer be sent in the header'],
    ['X-Trace', 'x-trace', 'major: GET /loans, parameter x-trace: is now called x-trace, and was X-Trace'],
    ['name: page,', 'name: page, required: true,', 'major: GET /loans, parameter page: is now required'],
    ['default: 1', 'default: 2', 'major: GET /loans, parameter page: default changes from 1 to 2'],
    [', default: 1', '', 'major: GET /loans, parameter page: loses default: 1: requests without it mean'],
    [trace, trace.replace(' }', ', default: a }'), 'major: GET /loans, parameter X-Trace: gets default'],
    ['explode: true', 'explode: false', 'major: GET /loans, parameter tag: explode changes from true'],
    ['name: row,', 'name: row, required: true,', 'major: PUT /shelf, parameter row: is now required'],
    ['name: page,', 'name: page, deprecated: true,', 'minor: GET /loans, parameter page: gets deprecated'],
    [
      'explode: true',
      'style: pipeDelimited',
      'major: GET /loans, parameter tag: style changes from "form" to "pipeDelimited": the value is written',
    ],
    ['name: page,', 'name: page, style: form, explode: false,'],
    [
      'in: header, schema: {',
      'in: header, content: { application/json: { schema: { type: string } } }, x-was: {',
      'major: GET /loans, parameter X-Trace: gets content: "application/json": the value is written in',
      'patch: GET /loans, parameter X-Trace: gets x-was',
    ],
    [
      'parameters: [{ name: row, in: query, schema: { type: integer } }], ',
      '',
      'major: PUT /shelf, parameter row: may no longer be sent in the query',
    ],
  ]);

  const json = 'content: { application/json: { schema: { type: string } } }';
  testRows(edit(SHOP, 'in: header, schema: { type: string }', `in: header, ${json}`), [
    [json, json.replace('string', 'integer'), 'major: GET /loans, parameter X-Trace: type changes from'],
  ]);
  testRows(edit(SHOP, 'schema: { type: array, items: { type: string } }', 'schema: { type: object }'), [
    ['explode: true', 'explode: false', 'major: GET /loans, parameter tag: explode changes from true to'],
  ]);
  const list = 'in: header, schema: { type: array }';
  testRows(edit(SHOP, 'in: header, schema: { type: string }', list), [[list, `explode: true, ${list}`]]);
  testRows(edit(SHOP, 'parameters: [{ name: row, in: query, schema: { type: integer } }], ', ''), [
    [
      'fillShelf,',
      'fillShelf, parameters: [{ name: row, in: query, schema: {} }],',
      "major: PUT /shelf: takes input now: the client's method took the options of the call as its first",
      'minor: PUT /shelf, parameter row: is new and optional in the query',
    ],
  ]);
});

describe('responses', () => {
  const total = '            X-Total: { required: true, schema: { type: integer } }\n';
  const response = 'schema: { type: string } }\n          content: { application/json:';
  testRows(SHOP, [
    ["        '304': { description: Not modified. }\n", '', 'major: GET /loans, response 304: is gone'],
    ["        '304'", "        '202': {}\n        '304'", 'minor: GET /loans, response 202: is new'],
    ['description: Loans.', 'description: All.', 'patch: GET /loans, response 200: description changes'],
    [
      response,
      response.replace('application/json', 'text/csv'),
      'major: GET /loans, response 200: is no longer application/json',
      'minor: GET /loans, response 200: may now be text/csv',
    ],
    ['kind: {', 'size: {}\n        kind: {', 'minor: Loan.size: is new in responses'],
    ['        kind: { type: string }\n', '', 'major: Loan.kind: is no longer in responses'],
    ['kind: {', 'kind: { writeOnly: true,', 'major: Loan.kind: is now writeOnly: it is no longer in'],
    ['required: [id]', 'required: []', 'major: Loan.id: may now be missing: clients rely on it'],
    ['required: [id]', 'required: [id, kind]', 'minor: Loan.kind: is now always present'],
    [
      'ok: { type: boolean }',
      'done: { type: boolean }',
      'major: POST /loans, response 201, ok: is no longer in responses',
      'minor: POST /loans, response 201, done: is new in responses',
    ],
    ['[big, small]', '[big, small, tiny]', 'minor: Loan.hint: gets the new value tiny'],
    ['[big, small]', '[big]', 'major: Loan.hint: loses the value small'],
    [
      ', x-extensible-enum: [big, small]',
      '',
      'major: Loan.hint: loses the value big',
      'loses the value small',
    ],
    ['x-extensible-enum', 'enum', 'minor: Loan.hint: gets enum: ["big","small"]: clients get only what'],
    [total, '', 'major: GET /loans, response 200: loses the header X-Total'],
    [total, `${total}            ETag: { schema: {} }\n`, 'minor: GET /loans, response 200: gets the header'],
    ['{ required: true, schema', '{ schema', 'major: GET /loans, response 200, header X-Total: may now be'],
    ['Link: {', 'Link: { required: true,', 'minor: GET /loans, response 200, header Link: is now always'],
    ['X-Total', 'x-total', 'major: GET /loans, response 200, header x-total: is now called x-total, and'],
    [
      'X-Total: { required: true, schema: {',
      'X-Total: { required: true, content: { application/json: {} }, x-was: {',
      'major: GET /loans, response 200, header X-Total: gets content: "application/json": the value is',
      'major: GET /loans, response 200, header X-Total: loses type: "integer": clients may get what they',
      'patch: GET /loans, response 200, header X-Total: gets x-was',
    ],
    [
      response,
      response.replace('application/json:', 'text/csv: {}, application/json:'),
      'minor: GET /loans, response 200: may now be text/csv',
    ],
  ]);

  const csv = edit(SHOP, response, response.replace('application/json', 'text/csv'));
  testRows(csv, [
    [
      'text/csv:',
      'application/json: {}, text/csv:',
      'major: GET /loans, response 200: is sent as application/json, and was sent as text/csv',
      'minor: GET /loans, response 200: may now be application/json',
    ],
  ]);

  // A new status keeps the promises of the `default` or the range that described it.
  const problem = 'content: { application/problem+json: {} } }\n';
  const withDefault = edit(
    SHOP,
    "        '404':",
    `        default: { description: Wrong., ${problem}        '404':`,
  );
  testRows(withDefault, [
    [
      "        '404':",
      `        '409': { description: Taken., ${problem}        '404':`,
      'minor: GET /books/{bookId}, response 409: is new',
    ],
    [
      "        '404':",
      "        '409': { description: Taken. }\n        '404':",
      'major: GET /books/{bookId}, response 409: is no longer application/problem+json',
      'minor: GET /books/{bookId}, response 409: is new',
    ],
    [
      "        '404':",
      "        '202': {}\n        '404':",
      'minor: GET /books/{bookId}, response 202: is new',
    ],
  ]);
});

/** Two versions of a part of a contract, and the change there and back. */
type RowBothWays = readonly [one: string, other: string, there: string, back: string];

function testBothWays(rows: readonly RowBothWays[]): void {
  test.each(rows)('%j and %j, both ways', (one, other, there, back) => {
    const revision = changed([one, other]);
    expect([compare(contract, revision), compare(revision, contract)]).toEqual([[there], [back]]);
  });
}

describe('plans', () => {
  testBothWays([
    [
      'perMinute: 60',
      'perMinute: 59',
      'major: plan free: requests per minute fall from 60 to 59',
      'minor: plan free: requests per minute rise from 59 to 60',
    ],
    [
      'perMinute: 300, perDay: 10000',
      'perMinute: 300, perDay: custom',
      'major: plan pro: requests per day change from 10000 to custom',
      'major: plan pro: requests per day change from custom to 10000',
    ],
    [
      '  free: { name: Free, perMinute: 60, perDay: 1000 }\n',
      '\n',
      'major: plan free: is gone',
      'minor: plan free: is new: 60 requests per minute, 1000 requests per day',
    ],
  ]);
  testRows(contract, [['name: Pro', 'name: Team', 'patch: plan pro: name changes from "Pro" to "Team"']]);
  const plans = 'x-rate-limit-plans: { free: { name: Free, perMinute: 60, perDay: 1000 } }\n';
  // Nothing was limited before.
  testRows(SHOP, [['paths:\n', `${plans}paths:\n`, 'major: plan free: is new: 60 requests per minute']]);
});

describe('error codes', () => {
  const unauthorized = '  unauthorized: { status: 401, description: The API key is missing. }\n';
  const codes = 'x-error-codes: [rate_limit_exceeded]';
  testBothWays([
    [
      unauthorized,
      '\n',
      'major: error code unauthorized: is gone',
      'minor: error code unauthorized: is new, with status 401',
    ],
    [
      codes,
      'x-error-codes: [rate_limit_exceeded, api_key_banned]',
      'minor: response TooManyRequests: gets the new code api_key_banned',
      'major: response TooManyRequests: loses the code api_key_banned',
    ],
  ]);
  testRows(contract, [
    ['{ status: 401', '{ status: 403', 'major: error code unauthorized: has status 403 instead of 401'],
    ['The API key is missing. }', 'Send a key. }', 'patch: error code unauthorized: description changes'],
  ]);
  // A response without a list promises no codes.
  testRows(edit(contract, codes, '# no codes'), [['# no codes', codes]]);
});

describe('deprecation', () => {
  const dates = "x-deprecated-since: '2026-11-01'\n      x-deprecated-sunset: '2027-06-30'\n";
  const sunset = "x-deprecated-sunset: '2027-06-30'";
  testBothWays([
    [
      sunset,
      "x-deprecated-sunset: '2027-06-29'",
      'major: GET /books/{bookId}: goes away on 2027-06-29, earlier than 2027-06-30',
      'patch: GET /books/{bookId}: stays until 2027-06-30, longer than 2027-06-29',
    ],
    [
      sunset,
      '# no sunset',
      'major: GET /books/{bookId}: may go away at any time, and was to stay until 2027-06-30',
      'minor: GET /books/{bookId}: goes away on 2027-06-30',
    ],
    [
      `deprecated: true\n      ${dates}`,
      '# current\n',
      'minor: GET /books/{bookId}: is no longer deprecated',
      'minor: GET /books/{bookId}: is deprecated, and goes away on 2027-06-30',
    ],
  ]);
  testRows(contract, [
    ["'2026-11-01'", "'2026-10-01'", 'patch: GET /books/{bookId}: is deprecated since 2026-10-01 instead of'],
  ]);

  const current = edit(contract, `deprecated: true\n      ${dates}`, '# current\n');
  test.each([
    ['2026-12-02', 'in 1 day'],
    ['2026-11-30', 'already'],
  ])('is an alarm if the sunset on %s leaves less than 180 days', (date, when) => {
    const revision = changed([sunset, `x-deprecated-sunset: '${date}'`]);
    expect(judged(current, revision).changes).toMatchObject([
      {
        impact: 'major',
        what: `is deprecated, and goes away on ${date}, ${when}: callers need 180 days to leave`,
        alarm: true,
      },
    ]);
  });
});

describe('stability', () => {
  const beta = 'operationId: listLoans\n      x-stability: beta';
  testBothWays([
    [
      'operationId: listLoans',
      beta,
      'major: GET /loans: is beta, and was stable',
      'minor: GET /loans: is stable, and was beta',
    ],
  ]);
  testRows(edit(contract, 'operationId: listLoans', beta), [
    ['x-stability: beta', 'x-stability: experimental', 'major: GET /loans: is experimental, and was beta'],
  ]);
});

describe('servers', () => {
  const api = '  - { url: https://api.library.example/v1, description: Production }\n';
  const localhost = '  - url: http://localhost:3000/v1\n';
  testBothWays([
    [
      api,
      '\n',
      'major: server https://api.library.example/v1: is gone',
      'minor: server https://api.library.example/v1: is new',
    ],
    [
      localhost,
      '',
      'patch: server http://localhost:3000/v1: is gone',
      'patch: server http://localhost:3000/v1: is new',
    ],
  ]);
  testRows(contract, [
    [
      'https://api.library.example/v1',
      'https://API.library.example/v1/',
      'patch: server https://api.library.example/v1: url changes',
    ],
    ['Production }', 'Live }', 'major: server https://api.library.example/v1: is now called live'],
    ['Production }', 'Production EU }', 'patch: server https://api.library.example/v1: description changes'],
    [api + localhost, localhost + api],
    [
      // It only starts like an address of this machine.
      'http://localhost:3000',
      'http://localhost.library.example',
      'minor: server http://localhost.library.example/v1: is new',
      'patch: server http://localhost:3000/v1: is gone',
    ],
  ]);

  const one = 'url: https://shop.example/v1';
  testRows(edit(SHOP, one, 'url: /v1'), [
    [
      'url: /v1',
      'url: /v2',
      'major: the base path: is /v2, and was /v1: every path begins with it',
      'patch: server http://localhost/v1: is gone',
      'patch: server http://localhost/v2: is new',
    ],
    [
      'servers: [{ url: /v1, description: Production }]\n',
      '',
      'major: the base path: is /, and was /v1: every path begins with it',
      'patch: server http://localhost/v1: is gone',
    ],
  ]);
  const variable =
    'url: "https://{region}.shop.example/v1", variables: { region: { default: eu, enum: [eu, us] } }';
  testRows(edit(SHOP, one, variable), [
    [
      'enum: [eu, us]',
      'enum: [eu]',
      'major: server https://eu.shop.example/v1, variable region: loses the value us',
    ],
    [
      'enum: [eu, us]',
      'enum: [eu, us, asia]',
      'minor: server https://eu.shop.example/v1, variable region: gets the',
    ],
    [', enum: [eu, us]', '', 'minor: server https://eu.shop.example/v1, variable region: loses enum'],
    [
      variable,
      'url: "https://eu.shop.example/v1"',
      'major: server https://eu.shop.example/v1, variable region: is gone',
      'patch: server https://eu.shop.example/v1: url changes',
    ],
  ]);
});

describe('security', () => {
  const root = 'security:\n  - apiKey: []\n';
  const list = 'operationId: listLoans';
  const secured = (security: string) => `${list}\n      security: ${security}`;
  const listIsOpen = 'major: GET /loans: needs no API key, and needed apiKey before';
  const bookIsOpen = 'major: GET /books/{bookId}: needs no API key, and needed apiKey before';
  testBothWays([
    [list, secured('[]'), listIsOpen, 'major: GET /loans: now needs apiKey, and needed nothing before'],
    [
      list,
      secured('[{ apiKey: [] }, { signature: [] }]'),
      'minor: GET /loans: now accepts signature as well',
      'major: GET /loans: no longer accepts signature: it needs apiKey',
    ],
    [
      list,
      secured('[{ apiKey: [read] }]'),
      'major: GET /loans: no longer accepts apiKey: it needs apiKey with scope read',
      'minor: GET /loans: now accepts apiKey as well',
    ],
  ]);
  testRows(contract, [
    [root, '', listIsOpen, bookIsOpen],
    [root, 'security: []\n', listIsOpen, bookIsOpen],
    [list, secured('[{ apiKey: [] }, {}]'), listIsOpen],
    [list, secured('[{ apiKey: [] }]')],
    [
      list,
      secured('[{ apiKey: [], signature: [] }]'),
      'major: GET /loans: no longer accepts apiKey: it needs apiKey with signature',
    ],
    [list, secured('[{ signature: [] }]'), 'major: GET /loans: no longer accepts apiKey: it needs signature'],
    ['scheme: bearer', 'scheme: basic', 'major: security scheme apiKey: scheme changes from "bearer" to'],
    ['scheme: bearer', 'scheme: bearer, description: A.', 'patch: security scheme apiKey: gets description'],
  ]);

  test('renaming a scheme does not affect requests', () => {
    const revision = changed(['apiKey: {', 'token: {'], [root, root.replace('apiKey', 'token')]);
    expect(compare(contract, revision)).toEqual([
      'patch: security scheme apiKey: is gone',
      'patch: security scheme token: is new',
    ]);
  });

  test('an operation without a key is an alarm, new or changed', () => {
    const health =
      '  /health:\n    get: { operationId: getHealth, security: [], responses: {} }\n\n  /loans:';
    const alarms = (...edits: readonly Edit[]) =>
      judged(contract, changed(...edits)).changes.filter(({ alarm }) => alarm);
    expect(alarms([list, secured('[]')])).toMatchObject([{ impact: 'major', subject: 'GET /loans' }]);
    expect(alarms(['  /loans:', health])).toMatchObject([
      { impact: 'minor', subject: 'GET /health', what: 'needs no API key' },
    ]);
  });
});

test('an operation may be removed in a minor version after its sunset, with everything that only it used', () => {
  const code = '  no_book: { status: 404, description: There is no such book. }\n';
  const without = ['    Book: { type: object, properties: { name: { type: string } } }\n', code].reduce(
    (text, piece) => edit(text, piece, ''),
    cut(SHOP, '  /books/{bookId}:', '  /shelf:'),
  );
  expect(compare(SHOP, without)).toEqual([
    'minor: GET /books/{bookId}: is gone, as announced for 2026-11-30',
    'minor: Book: is gone with all that used it',
    'minor: error code no_book: is gone',
  ]);
});

test('the Sunset header may be removed with the deprecation', () => {
  const deprecated = /deprecated: true\n.*since.*\n.*sunset.*\n/;
  const header = '            Sunset: { required: true, schema: { type: string } }\n';
  const text = contract.replace(deprecated, "x-was: ''\n").replace(header, '');
  expect(compare(contract, text).filter((item) => !item.startsWith('patch'))).toEqual([
    'minor: GET /books/{bookId}, response 204: loses the header Sunset',
    'minor: GET /books/{bookId}: is no longer deprecated',
  ]);
  expect(compare(contract, changed([header, '']))).toEqual([
    'major: GET /books/{bookId}, response 204: loses the header Sunset',
  ]);
});

test('a path parameter is renamed', () => {
  const revision = edit(edit(SHOP, '/books/{bookId}:', '/books/{id}:'), 'name: bookId', 'name: id');
  expect(compare(SHOP, revision)).toEqual([
    'major: GET /books/{id}, parameter id: is now called id, and was bookId: code that uses the client names it',
  ]);
});

test('a reformatted contract has not changed', () => {
  const rewritten: readonly Edit[] = [
    ['version: 1.0.0', 'version: 1.1.0'],
    ['{ type: http, scheme: bearer }', '\n      scheme: bearer\n      type: http'],
    // A parameter of the path belongs to each of its operations.
    [
      '/books/{bookId}:\n',
      '/books/{bookId}:\n    parameters:\n      - { $ref: "#/components/parameters/Book" }\n',
    ],
    [
      '      parameters:\n        - { name: bookId, in: path, required: true, schema: { type: integer } }\n',
      '',
    ],
    [
      '  parameters:\n    Since',
      '  parameters:\n    Book: { name: bookId, in: path, required: true, schema: { type: integer } }\n    Since',
    ],
    [
      "schema: { $ref: '#/components/schemas/Book' }",
      'schema: { type: object, properties: { name: { type: string } } }',
    ],
    ['        id: { type: integer }\n', ''],
    ['        kind: { type: string }\n', '        kind: { type: string }\n        id: { type: integer }\n'],
  ];
  expect(
    compare(
      SHOP,
      rewritten.reduce((text, item) => edit(text, ...item), SHOP),
    ),
  ).toEqual([]);
});

test('changes are reported once each, the gravest first', () => {
  const revision = changed(
    ['perMinute: 60', 'perMinute: 59'],
    ['  unauthorized: {', '  teapot: { status: 418, description: I am one. }\n  unauthorized: {'],
    ['operationId: listLoans', 'operationId: listLoans\n      security: []\n      x-stability: beta'],
    ["x-deprecated-sunset: '2027-06-30'", "x-deprecated-sunset: '2028-06-30'"],
    ['Retry-After: { required: true', 'Retry-After: { required: false'],
    ['  - url: http://localhost:3000/v1', '  - url: https://eu.library.example/v1'],
    ['x-error-codes: [invalid_request]', 'x-error-codes: [invalid_request, teapot]'],
  );
  expect(compare(contract, revision)).toEqual([
    'major: response header Retry-After: may now be missing: clients rely on it',
    'major: GET /loans: needs no API key, and needed apiKey before',
    'major: GET /loans: is beta, and was stable',
    'major: plan free: requests per minute fall from 60 to 59',
    'minor: response BadRequest: gets the new code teapot',
    'minor: error code teapot: is new, with status 418',
    'minor: server https://eu.library.example/v1: is new',
    'patch: GET /books/{bookId}: stays until 2028-06-30, longer than 2027-06-30',
    'patch: server http://localhost:3000/v1: is gone',
  ]);
  expect(judged(contract, revision).changes).toHaveLength(9);
});

describe('a contract in OpenAPI 3.1 and in 3.2', () => {
  const older = edit(
    edit(
      SHOP,
      'security: [',
      'tags: [{ name: a, x-displayName: All }, { name: b, x-parent: a }]\nsecurity: [',
    ),
    "schema: { $ref: '#/components/schemas/NewLoan' }",
    "schema: { $ref: '#/components/schemas/NewLoan' }, examples: { One: { value: { count: 1 } } }",
  );
  const newest = [
    ['openapi: 3.1.0', 'openapi: 3.2.0\n$self: https://shop.example/openapi.yaml'],
    ['x-displayName: All', 'summary: All'],
    ['x-parent: a', 'parent: a'],
    ['url: https://shop.example/v1,', 'url: https://shop.example/v1, name: production,'],
    ["{ schema: { $ref: '#/components/schemas/Loan' } }", "{ $ref: '#/components/mediaTypes/Loan' }"],
    [
      '\ncomponents:\n',
      "\ncomponents:\n  mediaTypes: { Loan: { schema: { $ref: 'https://shop.example/openapi.yaml#/components/schemas/Loan' } } }\n",
    ],
    ['value: { count: 1 }', 'dataValue: { count: 1 }'],
  ].reduce((text, [before = '', after = '']) => edit(text, before, after), older);

  test('has no differences', () => {
    expect(judged(older, newest)).toMatchObject({ changes: [], problems: [] });
    expect(judged(newest, older)).toMatchObject({ changes: [], problems: [] });
  });

  test('operations with QUERY, and what they take, are compared', () => {
    const query = (name: string) =>
      edit(
        newest,
        '  /loans:\n',
        `  /loans:
    query:
      operationId: findLoans
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { ${name}: {} } } } } }
      responses: { '200': { summary: Those that fit. } }
`,
      );
    expect(compare(newest, query('of'))).toEqual(['minor: QUERY /loans: is new']);
    expect(compare(query('of'), newest)).toEqual(['major: QUERY /loans: is gone']);
    expect(compare(query('of'), query('by'))).toEqual([
      'major: QUERY /loans, body, of: may no longer be sent',
      'minor: QUERY /loans, body, by: is new and optional',
    ]);
  });

  test('an unknown tag that is taken, or sent, is a change', () => {
    const text = (discriminator: string) => `openapi: 3.2.0
info: { title: A shop, version: 1.0.0 }
paths:
  /animals:
    post:
      operationId: addAnimal
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/In' } } } }
      responses:
        '200': { content: { application/json: { schema: { $ref: '#/components/schemas/Out' } } } }
components:
  schemas:
    In: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]${discriminator} }
    Out: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]${discriminator} }
    Cat: { type: object, properties: { kind: { type: string } } }
    Dog: { type: object, properties: { kind: { type: string }, barks: { type: boolean } } }
`;
    const without = text(', discriminator: { propertyName: kind }');
    const having = text(', discriminator: { propertyName: kind, defaultMapping: Dog }');
    expect(compare(without, having)).toEqual([
      expect.stringMatching(
        /^major: Out: defaultMapping changes .*: clients may get what they never got before$/,
      ),
      expect.stringMatching(/^minor: In: defaultMapping changes .*: more requests are valid$/),
    ]);
    expect(compare(having, without)).toEqual([
      expect.stringMatching(/^major: In: defaultMapping changes .*: requests that were valid are rejected$/),
      expect.stringMatching(/^minor: Out: defaultMapping changes .*: clients get only what they got before$/),
    ]);
    expect(compare(text(''), having).join()).not.toContain('defaultMapping changes');
  });
});
