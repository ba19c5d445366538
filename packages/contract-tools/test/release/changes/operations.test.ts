import { changed, contract } from '../../support/contract.ts';
import { cut, edit } from '../../support/edit.ts';
import { compare, SHOP, testRows } from '../../support/shop.ts';

const LIST = 'GET /orders';

testRows([
  [
    'operationId: listOrders',
    'operationId: orders',
    `major: ${LIST}: operationId changes from "listOrders" to "orders": it is the name of the client's method`,
  ],
  [
    '  /pets/{petId}:\n',
    '  /shops:\n    get: { operationId: listShops, responses: {} }\n  /pets/{petId}:\n',
    'minor: GET /shops: is new',
  ],
  ['    post:\n', '    put:\n', 'major: POST /orders: is gone', 'minor: PUT /orders: is new'],
  [
    '  /orders:\n',
    '  /all-orders:\n',
    'major: GET /orders: is gone',
    'major: POST /orders: is gone',
    'minor: GET /all-orders: is new',
    'minor: POST /all-orders: is new',
  ],
  [
    'summary: List orders',
    'summary: All orders',
    `patch: ${LIST}: summary changes from "List orders" to "All orders"`,
  ],
  ['      summary: List orders\n', '', `patch: ${LIST}: loses summary: "List orders"`],
  [
    'tags: [orders]',
    'tags: [orders, shop]',
    `patch: ${LIST}: tags changes from ["orders"] to ["orders","shop"]`,
  ],
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
  ['    Unused: { type: string }\n', '', 'major: Unused: is gone, and is a name of the client'],
  ['    Unused: {', '    More: { type: string }\n    Unused: {', 'patch: More: is a new name of the client'],
  [
    'Unused: { type: string',
    'Unused: { type: integer',
    'patch: Unused: changes, and is in no request or reply',
  ],
]);

test('an operation whose sunset has come may leave with a minor version, with what only it used', () => {
  const code = '  no_pet: { status: 404, description: There is no such pet. }\n';
  const without = ['    Pet: { type: object, properties: { name: { type: string } } }\n', code].reduce(
    (text, piece) => edit(text, piece, ''),
    cut(SHOP, '  /pets/{petId}:', '  /shelf:'),
  );
  expect(compare(SHOP, without)).toEqual([
    'minor: GET /pets/{petId}: is gone, as was announced for 2026-11-30',
    'minor: Pet: is gone, with all that used it',
    'minor: error code no_pet: is gone',
  ]);
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
