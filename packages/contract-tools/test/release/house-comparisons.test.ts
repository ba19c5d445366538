import { compareDeprecation } from '../../src/release/compare/deprecation.ts';
import { compareErrorCodes } from '../../src/release/compare/error-codes.ts';
import { compareSchemaNames } from '../../src/release/compare/names.ts';
import { compareOperations } from '../../src/release/compare/operations.ts';
import { comparePlans } from '../../src/release/compare/plans.ts';
import { compareSecurity } from '../../src/release/compare/security.ts';
import { compareServers } from '../../src/release/compare/servers.ts';
import { compareStability } from '../../src/release/compare/stability.ts';
import { compareDescription } from '../../src/release/compare/words.ts';
import { changed, type Edit } from '../support/contract.ts';
import { found, pairOf } from '../support/found.ts';

const COMPARISONS = {
  compareDeprecation,
  compareErrorCodes,
  compareDescription,
  comparePlans,
  compareOperations,
  compareSchemaNames,
  compareSecurity,
  compareServers,
  compareStability,
};

test.each(Object.entries(COMPARISONS))('%s finds nothing in a contract that stays as it is', (_, compare) => {
  expect(found(compare, [])).toEqual([]);
});

describe('plans', () => {
  const FREE = '  free: { name: Free, perMinute: 60, perDay: 1000 }\n';

  test('a plan whose quota falls needs a major version', () => {
    expect(found(comparePlans, [['perMinute: 60', 'perMinute: 59']])).toEqual([
      'major: plan free: requests per minute fall from 60 to 59',
    ]);
  });

  test('a plan whose quota rises needs a minor version', () => {
    expect(found(comparePlans, [['perDay: 10000', 'perDay: 20000']])).toEqual([
      'minor: plan pro: requests per day rise from 10000 to 20000',
    ]);
  });

  test('a plan that goes needs a major version', () => {
    expect(found(comparePlans, [[FREE, '']])).toEqual(['major: plan free: is gone']);
  });

  test('all plans that go need a major version', () => {
    expect(found(comparePlans, [['x-rate-limit-plans:', 'x-plans:']])).toEqual([
      'major: plan free: is gone',
      'major: plan pro: is gone',
      'major: plan enterprise: is gone',
    ]);
  });

  test('a new plan needs a minor version', () => {
    expect(found(comparePlans, [], [[FREE, '']])).toEqual([
      'minor: plan free: is new: 60 requests per minute, 1000 requests per day',
    ]);
  });

  test('a number that becomes an agreement, or an agreement that becomes a number, needs a major version', () => {
    const custom: Edit = ['perMinute: 300, perDay: 10000', 'perMinute: custom, perDay: 10000'];
    expect(found(comparePlans, [custom])).toEqual([
      'major: plan pro: requests per minute change from 300 to custom',
    ]);
    expect(found(comparePlans, [], [custom])).toEqual([
      'major: plan pro: requests per minute change from custom to 300',
    ]);
  });

  test('another name for a plan needs a patch version', () => {
    expect(found(comparePlans, [['name: Pro', 'name: Team']])).toEqual([
      'patch: plan pro: is now called Team',
    ]);
  });
});

describe('error codes', () => {
  const UNAUTHORIZED = '  unauthorized: { status: 401, description: The API key is missing. }\n';

  test('an error code that goes needs a major version', () => {
    expect(found(compareErrorCodes, [[UNAUTHORIZED, '']])).toEqual([
      'major: error code unauthorized: is gone',
    ]);
  });

  test('an error code with another status needs a major version', () => {
    expect(
      found(compareErrorCodes, [['unauthorized: { status: 401', 'unauthorized: { status: 403']]),
    ).toEqual(['major: error code unauthorized: comes with 403 instead of 401']);
  });

  test('a new error code needs a minor version', () => {
    expect(found(compareErrorCodes, [], [[UNAUTHORIZED, '']])).toEqual([
      'minor: error code unauthorized: is new, with 401',
    ]);
  });

  test('an error code in other words needs a patch version', () => {
    const words: Edit = ['description: The API key is missing. }', 'description: There is no API key. }'];
    expect(found(compareErrorCodes, [words])).toEqual([
      'patch: error code unauthorized: is described in other words',
    ]);
  });

  test('a code that comes or goes does so once', () => {
    expect(found(compareOperations, [[UNAUTHORIZED, '']])).toEqual([]);
    expect(found(compareOperations, [], [[UNAUTHORIZED, '']])).toEqual([]);
  });

  const BOTH: Edit = [
    'x-error-codes: [rate_limit_exceeded]',
    'x-error-codes: [rate_limit_exceeded, api_key_banned]',
  ];

  test('a code that a response no longer has needs a major version, and a new one a minor one', () => {
    expect(found(compareOperations, [], [BOTH])).toEqual([
      'major: response TooManyRequests: no longer has the code api_key_banned',
    ]);
    expect(found(compareOperations, [BOTH])).toEqual([
      'minor: response TooManyRequests: may have the new code api_key_banned',
    ]);
  });

  test('a contract without lists has promised nothing', () => {
    expect(found(compareOperations, [], [['      x-error-codes: [rate_limit_exceeded]\n', '']])).toEqual([]);
  });
});

describe('deprecation', () => {
  const DEPRECATED = `      deprecated: true
      x-deprecated-since: '2026-11-01'
      x-deprecated-sunset: '2027-06-30'
`;
  const sunset = (date: string): Edit => [
    "x-deprecated-sunset: '2027-06-30'",
    `x-deprecated-sunset: '${date}'`,
  ];

  test('a sunset that moves closer needs a major version', () => {
    expect(found(compareDeprecation, [sunset('2027-06-29')])).toEqual([
      'major: GET /pets/{petId}: goes away on 2027-06-29, earlier than 2027-06-30',
    ]);
  });

  test('a sunset that moves away needs a patch version', () => {
    expect(found(compareDeprecation, [sunset('2027-07-01')])).toEqual([
      'patch: GET /pets/{petId}: stays until 2027-07-01, longer than 2027-06-30',
    ]);
  });

  test('a sunset that is withdrawn needs a major version, and one that is announced a minor one', () => {
    const none: Edit = ["      x-deprecated-sunset: '2027-06-30'\n", ''];
    expect(found(compareDeprecation, [none])).toEqual([
      'major: GET /pets/{petId}: may go away at any time, and was to stay until 2027-06-30',
    ]);
    expect(found(compareDeprecation, [], [none])).toEqual([
      'minor: GET /pets/{petId}: goes away on 2027-06-30',
    ]);
  });

  test('an operation that becomes deprecated needs a minor version', () => {
    expect(found(compareDeprecation, [], [[DEPRECATED, '']])).toEqual([
      'minor: GET /pets/{petId}: is deprecated, and goes away on 2027-06-30',
    ]);
  });

  test('a sunset that leaves less than 180 days is questioned, and needs a major version', () => {
    const before: readonly Edit[] = [[DEPRECATED, '']];
    const pair = pairOf(changed(...before), changed(sunset('2026-12-02')));
    expect([...compareDeprecation(pair)]).toMatchObject([
      {
        impact: 'major',
        what: 'is deprecated, and goes away on 2026-12-02, in 1 day: who calls it needs 180 days to leave',
        alarm: true,
      },
    ]);
    expect(found(compareDeprecation, [sunset('2026-11-30')], before)).toEqual([
      'major: GET /pets/{petId}: is deprecated, and goes away on 2026-11-30, already: who calls it needs 180 days to leave',
    ]);
    expect(found(compareDeprecation, [sunset('2027-05-30')], before)).toEqual([
      'minor: GET /pets/{petId}: is deprecated, and goes away on 2027-05-30',
    ]);
  });

  test('an operation that is no longer deprecated needs a minor version', () => {
    expect(found(compareDeprecation, [[DEPRECATED, '']])).toEqual([
      'minor: GET /pets/{petId}: is no longer deprecated',
    ]);
  });

  test('another date since when needs a patch version', () => {
    expect(found(compareDeprecation, [["'2026-11-01'", "'2026-10-01'"]])).toEqual([
      'patch: GET /pets/{petId}: is deprecated since 2026-10-01 instead of 2026-11-01',
    ]);
  });
});

describe('stability', () => {
  const marked = (stability: string): readonly Edit[] => [
    ['operationId: listOrders', `operationId: listOrders\n      x-stability: ${stability}`],
  ];

  test('a stable operation that becomes beta or experimental needs a major version', () => {
    expect(found(compareStability, marked('beta'))).toEqual(['major: GET /orders: is beta, and was stable']);
    expect(found(compareStability, marked('experimental'), marked('beta'))).toEqual([
      'major: GET /orders: is experimental, and was beta',
    ]);
  });

  test('an operation that becomes more stable needs a minor version', () => {
    expect(found(compareStability, [], marked('beta'))).toEqual([
      'minor: GET /orders: is stable, and was beta',
    ]);
  });
});

describe('servers', () => {
  const API = '  - url: https://api.petstore.example/v1\n';

  test('an address that goes needs a major version', () => {
    expect(found(compareServers, [[API, '']])).toEqual([
      'major: server https://api.petstore.example/v1: is gone',
    ]);
  });

  test('a new address needs a minor version', () => {
    expect(found(compareServers, [], [[API, '']])).toEqual([
      'minor: server https://api.petstore.example/v1: is new',
    ]);
  });

  test('an address on the own machine may come and go with a patch version', () => {
    expect(found(compareServers, [['localhost:3000', 'localhost:4000']])).toEqual([
      'patch: server http://localhost:3000/v1: is gone',
      'patch: server http://localhost:4000/v1: is new',
    ]);
  });

  test('an address that only begins like localhost is one that clients call', () => {
    expect(
      found(compareServers, [], [['http://localhost:3000', 'http://localhost.petstore.example']]),
    ).toEqual([
      'major: server http://localhost.petstore.example/v1: is gone',
      'patch: server http://localhost:3000/v1: is new',
    ]);
  });

  test('the name of an address in the client stays, other words do not matter', () => {
    const described = (words: string): readonly Edit[] => [
      [API, `  - { url: https://api.petstore.example/v1, description: '${words}' }\n`],
    ];
    expect(found(compareServers, described('Live'), described('Production'))).toEqual([
      'major: server https://api.petstore.example/v1: is now called live, and was production: it is a name of the client',
    ]);
    expect(found(compareServers, described('Production, in Europe'), described('Production'))).toEqual([
      'patch: server https://api.petstore.example/v1: description changes from "Production" to "Production, in Europe"',
    ]);
  });

  test('the order of the addresses is no change', () => {
    const moved: readonly Edit[] = [
      [API, ''],
      ['  - url: http://localhost:3000/v1\n', `  - url: http://localhost:3000/v1\n${API}`],
    ];
    expect(found(compareServers, moved)).toEqual([]);
  });
});
