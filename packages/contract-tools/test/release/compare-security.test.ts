import { compareSecurity } from '../../src/release/compare/security.ts';
import { changed, contract, type Edit } from '../support/contract.ts';
import { found, pairOf } from '../support/found.ts';

const ROOT = 'security:\n  - apiKey: []\n';
const onBoth = (what: string) =>
  ['GET /orders', 'GET /pets/{petId}'].map((each) => `major: ${each}: ${what}`);
const onList = (security: string): Edit => [
  'operationId: listOrders',
  `operationId: listOrders\n      security: ${security}`,
];

test('an operation that no longer needs a key needs a major version', () => {
  const open = 'is open to everybody, and needed apiKey before';
  expect(found(compareSecurity, [[ROOT, '']])).toEqual(onBoth(open));
  expect(found(compareSecurity, [[ROOT, 'security: []\n']])).toHaveLength(2);
  expect(found(compareSecurity, [onList('[]')])).toEqual([`major: GET /orders: ${open}`]);
  expect(found(compareSecurity, [onList('[{ apiKey: [] }, {}]')])).toEqual([`major: GET /orders: ${open}`]);
});

test('an operation that no longer needs a key is an alarm', () => {
  const pair = pairOf(contract, changed(onList('[]')));
  expect([...compareSecurity(pair)].map(({ alarm }) => alarm)).toEqual([true]);
});

test('an operation that newly needs a key needs a major version', () => {
  expect(found(compareSecurity, [], [onList('[]')])).toEqual([
    'major: GET /orders: now needs apiKey, and needed nothing before',
  ]);
});

test('a key that has to come with something more, or is replaced, needs a major version', () => {
  expect(found(compareSecurity, [onList('[{ apiKey: [], signature: [] }]')])).toEqual([
    'major: GET /orders: no longer accepts apiKey: it needs apiKey with signature',
  ]);
  expect(found(compareSecurity, [onList('[{ signature: [] }]')])).toEqual([
    'major: GET /orders: no longer accepts apiKey: it needs signature',
  ]);
});

test('a new scope needs a major version, and one that goes a minor one', () => {
  expect(found(compareSecurity, [onList('[{ apiKey: [write] }]')])).toEqual([
    'major: GET /orders: no longer accepts apiKey: it needs apiKey (write)',
  ]);
  expect(found(compareSecurity, [], [onList('[{ apiKey: [write] }]')])).toEqual([
    'minor: GET /orders: now accepts apiKey as well',
  ]);
});

test('a second way to be let in needs a minor version', () => {
  expect(found(compareSecurity, [onList('[{ apiKey: [] }, { signature: [] }]')])).toEqual([
    'minor: GET /orders: now accepts signature as well',
  ]);
});

test('a new operation that needs no key is an alarm', () => {
  const path = '  /health:\n    get: { operationId: getHealth, security: [], responses: {} }\n\n  /orders:';
  const pair = pairOf(contract, changed(['  /orders:', path]));
  expect([...compareSecurity(pair)]).toMatchObject([
    { impact: 'minor', subject: 'GET /health', what: 'is open to everybody', alarm: true },
  ]);
});

test('the same requirement, written at the operation, is no change', () => {
  expect(found(compareSecurity, [onList('[{ apiKey: [] }]')])).toEqual([]);
});

test('a scheme that is sent in another way needs a major version, and one that is described in other words a patch', () => {
  const scheme = (text: string): Edit => ['apiKey: { type: http, scheme: bearer }', `apiKey: ${text}`];
  expect(found(compareSecurity, [scheme('{ type: http, scheme: basic }')])).toEqual([
    'major: security scheme apiKey: scheme changes from "bearer" to "basic"',
  ]);
  expect(found(compareSecurity, [scheme('{ type: http, scheme: bearer, description: Yours. }')])).toEqual([
    'patch: security scheme apiKey: gets description: "Yours."',
  ]);
});
