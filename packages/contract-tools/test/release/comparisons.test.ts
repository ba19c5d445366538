import type { Comparison } from '../../src/release/change.ts';
import { compareDeprecation } from '../../src/release/compare/deprecation.ts';
import { compareErrorCodes } from '../../src/release/compare/error-codes.ts';
import { compareOperations } from '../../src/release/compare/operations.ts';
import { comparePlans } from '../../src/release/compare/plans.ts';
import { compareSecurity } from '../../src/release/compare/security.ts';
import { compareServers } from '../../src/release/compare/servers.ts';
import { compareStability } from '../../src/release/compare/stability.ts';
import { changed, contract, type Edit } from '../support/contract.ts';
import { found, pairOf } from '../support/found.ts';

type Edits = readonly Edit[];

/** What is found between the small contract with the edits of `before` and with those of `after`. */
type Row = readonly [before: Edits, after: Edits, ...finds: string[]];

function testRows(compare: Comparison, rows: readonly Row[]): void {
  const cases = rows.map(([before, after, ...finds]) => ({
    title: finds.join('; ') || `nothing: ${JSON.stringify([before, after])}`,
    before,
    after,
    finds,
  }));
  test.each(cases)('$title', ({ before, after, finds }) => {
    expect(found(compare, after, before)).toEqual(finds);
  });
}

const AS_IT_IS: Edits = [];

describe('plans', () => {
  const free: Edits = [['  free: { name: Free, perMinute: 60, perDay: 1000 }\n', '']];
  const custom: Edits = [['perMinute: 300, perDay: 10000', 'perMinute: custom, perDay: 10000']];

  testRows(comparePlans, [
    [
      AS_IT_IS,
      [['perMinute: 60', 'perMinute: 59']],
      'major: plan free: requests per minute fall from 60 to 59',
    ],
    [
      AS_IT_IS,
      [['perDay: 10000', 'perDay: 20000']],
      'minor: plan pro: requests per day rise from 10000 to 20000',
    ],
    [AS_IT_IS, custom, 'major: plan pro: requests per minute change from 300 to custom'],
    [custom, AS_IT_IS, 'major: plan pro: requests per minute change from custom to 300'],
    [AS_IT_IS, [['name: Pro', 'name: Team']], 'patch: plan pro: is now called Team'],
    [AS_IT_IS, free, 'major: plan free: is gone'],
    [free, AS_IT_IS, 'minor: plan free: is new: 60 requests per minute, 1000 requests per day'],
    [
      AS_IT_IS,
      [['x-rate-limit-plans:', 'x-plans:']],
      'major: plan free: is gone',
      'major: plan pro: is gone',
      'major: plan enterprise: is gone',
    ],
  ]);
});

describe('error codes', () => {
  const gone: Edits = [['  unauthorized: { status: 401, description: The API key is missing. }\n', '']];
  const words: Edits = [['description: The API key is missing. }', 'description: There is no API key. }']];

  testRows(compareErrorCodes, [
    [AS_IT_IS, gone, 'major: error code unauthorized: is gone'],
    [gone, AS_IT_IS, 'minor: error code unauthorized: is new, with 401'],
    [
      AS_IT_IS,
      [['unauthorized: { status: 401', 'unauthorized: { status: 403']],
      'major: error code unauthorized: comes with 403 instead of 401',
    ],
    [AS_IT_IS, words, 'patch: error code unauthorized: is described in other words'],
  ]);

  const codes = 'x-error-codes: [rate_limit_exceeded]';
  const banned: Edits = [[codes, 'x-error-codes: [rate_limit_exceeded, api_key_banned]']];
  testRows(compareOperations, [
    // A code that comes or goes is told once, and a response without a list has promised nothing.
    [AS_IT_IS, gone],
    [gone, AS_IT_IS],
    [[[`      ${codes}\n`, '']], AS_IT_IS],
    [banned, AS_IT_IS, 'major: response TooManyRequests: no longer has the code api_key_banned'],
    [AS_IT_IS, banned, 'minor: response TooManyRequests: may have the new code api_key_banned'],
  ]);
});

describe('deprecation', () => {
  const sunset = (date: string): Edits => [
    ["x-deprecated-sunset: '2027-06-30'", `x-deprecated-sunset: '${date}'`],
  ];
  const endless: Edits = [["      x-deprecated-sunset: '2027-06-30'\n", '']];
  const current: Edits = [
    [
      `      deprecated: true
      x-deprecated-since: '2026-11-01'
      x-deprecated-sunset: '2027-06-30'
`,
      '',
    ],
  ];
  const short = (when: string) =>
    `is deprecated, and goes away on ${when}: who calls it needs 180 days to leave`;

  testRows(compareDeprecation, [
    [
      AS_IT_IS,
      sunset('2027-06-29'),
      'major: GET /pets/{petId}: goes away on 2027-06-29, earlier than 2027-06-30',
    ],
    [
      AS_IT_IS,
      sunset('2027-07-01'),
      'patch: GET /pets/{petId}: stays until 2027-07-01, longer than 2027-06-30',
    ],
    [
      AS_IT_IS,
      endless,
      'major: GET /pets/{petId}: may go away at any time, and was to stay until 2027-06-30',
    ],
    [endless, AS_IT_IS, 'minor: GET /pets/{petId}: goes away on 2027-06-30'],
    [current, AS_IT_IS, 'minor: GET /pets/{petId}: is deprecated, and goes away on 2027-06-30'],
    [current, sunset('2027-05-30'), 'minor: GET /pets/{petId}: is deprecated, and goes away on 2027-05-30'],
    [current, sunset('2026-12-02'), `major: GET /pets/{petId}: ${short('2026-12-02, in 1 day')}`],
    [current, sunset('2026-11-30'), `major: GET /pets/{petId}: ${short('2026-11-30, already')}`],
    [AS_IT_IS, current, 'minor: GET /pets/{petId}: is no longer deprecated'],
    [
      AS_IT_IS,
      [["'2026-11-01'", "'2026-10-01'"]],
      'patch: GET /pets/{petId}: is deprecated since 2026-10-01 instead of 2026-11-01',
    ],
  ]);

  test('a sunset that leaves less than 180 days is an alarm', () => {
    const pair = pairOf(changed(...current), changed(...sunset('2026-12-02')));
    expect([...compareDeprecation(pair)].map(({ alarm }) => alarm)).toEqual([true]);
  });
});

describe('stability', () => {
  const marked = (stability: string): Edits => [
    ['operationId: listOrders', `operationId: listOrders\n      x-stability: ${stability}`],
  ];

  testRows(compareStability, [
    [AS_IT_IS, marked('beta'), 'major: GET /orders: is beta, and was stable'],
    [marked('beta'), marked('experimental'), 'major: GET /orders: is experimental, and was beta'],
    [marked('beta'), AS_IT_IS, 'minor: GET /orders: is stable, and was beta'],
  ]);
});

describe('servers', () => {
  const api = '  - { url: https://api.petstore.example/v1, description: Production }\n';
  const localhost = '  - url: http://localhost:3000/v1\n';
  const described = (words: string): Edits => [
    [api, `  - { url: https://api.petstore.example/v1, description: '${words}' }\n`],
  ];

  testRows(compareServers, [
    [AS_IT_IS, [[api, '']], 'major: server https://api.petstore.example/v1: is gone'],
    [[[api, '']], AS_IT_IS, 'minor: server https://api.petstore.example/v1: is new'],
    [
      AS_IT_IS,
      [['localhost:3000', 'localhost:4000']],
      'patch: server http://localhost:3000/v1: is gone',
      'patch: server http://localhost:4000/v1: is new',
    ],
    [
      AS_IT_IS,
      [['https://api.petstore.example/v1', 'https://API.petstore.example/v1/']],
      'patch: server https://api.petstore.example/v1: url changes from "https://api.petstore.example/v1" to "https://API.petstore.example/v1/"',
    ],
    [
      // It only begins like an address on the own machine.
      [['http://localhost:3000', 'http://localhost.petstore.example']],
      AS_IT_IS,
      'major: server http://localhost.petstore.example/v1: is gone',
      'patch: server http://localhost:3000/v1: is new',
    ],
    [
      described('Production'),
      described('Live'),
      'major: server https://api.petstore.example/v1: is now called live, and was production: it is a name of the client',
    ],
    [
      described('Production'),
      described('Production, in Europe'),
      'patch: server https://api.petstore.example/v1: description changes from "Production" to "Production, in Europe"',
    ],
    [
      AS_IT_IS,
      [
        [api, ''],
        [localhost, localhost + api],
      ],
    ],
  ]);
});

describe('security', () => {
  const root = 'security:\n  - apiKey: []\n';
  const onList = (security: string): Edits => [
    ['operationId: listOrders', `operationId: listOrders\n      security: ${security}`],
  ];
  const scheme = (text: string): Edits => [['apiKey: { type: http, scheme: bearer }', `apiKey: ${text}`]];
  const listIsOpen = 'major: GET /orders: is open to everybody, and needed apiKey before';
  const petIsOpen = 'major: GET /pets/{petId}: is open to everybody, and needed apiKey before';

  testRows(compareSecurity, [
    [AS_IT_IS, [[root, '']], listIsOpen, petIsOpen],
    [AS_IT_IS, [[root, 'security: []\n']], listIsOpen, petIsOpen],
    [AS_IT_IS, onList('[]'), listIsOpen],
    [AS_IT_IS, onList('[{ apiKey: [] }, {}]'), listIsOpen],
    [AS_IT_IS, onList('[{ apiKey: [] }]')],
    [onList('[]'), AS_IT_IS, 'major: GET /orders: now needs apiKey, and needed nothing before'],
    [
      AS_IT_IS,
      onList('[{ apiKey: [], signature: [] }]'),
      'major: GET /orders: no longer accepts apiKey: it needs apiKey with signature',
    ],
    [
      AS_IT_IS,
      onList('[{ signature: [] }]'),
      'major: GET /orders: no longer accepts apiKey: it needs signature',
    ],
    [
      AS_IT_IS,
      onList('[{ apiKey: [] }, { signature: [] }]'),
      'minor: GET /orders: now accepts signature as well',
    ],
    [
      AS_IT_IS,
      scheme('{ type: http, scheme: basic }'),
      'major: security scheme apiKey: scheme changes from "bearer" to "basic"',
    ],
    [
      AS_IT_IS,
      [
        ['apiKey: {', 'token: {'],
        [root, root.replace('apiKey', 'token')],
      ],
      'patch: security scheme apiKey: is gone',
      'patch: security scheme token: is new',
    ],
    [
      AS_IT_IS,
      scheme('{ type: http, scheme: bearer, description: Yours. }'),
      'patch: security scheme apiKey: gets description: "Yours."',
    ],
  ]);

  test('an operation without a key is an alarm, be it new or opened', () => {
    const path = '  /health:\n    get: { operationId: getHealth, security: [], responses: {} }\n\n  /orders:';
    const opened = pairOf(contract, changed(...onList('[]')));
    const added = pairOf(contract, changed(['  /orders:', path]));
    expect([...compareSecurity(opened)]).toMatchObject([{ subject: 'GET /orders', alarm: true }]);
    expect([...compareSecurity(added)]).toMatchObject([
      { impact: 'minor', subject: 'GET /health', what: 'is open to everybody', alarm: true },
    ]);
  });
});
