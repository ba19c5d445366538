import { edit } from '../../support/edit.ts';
import { compare, SHOP, testRows } from '../../support/shop.ts';

const LIST = 'GET /orders';
const PAGE = '- { name: page, in: query, schema: { type: integer, default: 1 } }\n';

testRows([
  [
    PAGE,
    `${PAGE}        - { name: size, in: query, schema: {} }\n`,
    `minor: ${LIST}, parameter size: is new, and may be sent in the query`,
  ],
  [
    PAGE,
    `${PAGE}        - { name: size, in: query, required: true, schema: {} }\n`,
    `major: ${LIST}, parameter size: is new, and must be sent in the query`,
  ],
  [PAGE, '# none\n', `major: ${LIST}, parameter page: may no longer be sent in the query`],
  [
    'name: page',
    'name: number',
    `major: ${LIST}, parameter page: may no longer be sent in the query`,
    `minor: ${LIST}, parameter number: is new, and may be sent in the query`,
  ],
  [
    'name: page, in: query',
    'name: page, in: header',
    `major: ${LIST}, parameter page: may no longer be sent in the query`,
    `minor: ${LIST}, parameter page: is new, and may be sent in the header`,
  ],
  [
    'name: X-Trace',
    'name: x-trace',
    `major: ${LIST}, parameter x-trace: is now called x-trace, and was X-Trace: it is a name of the client`,
  ],
  [
    'page, in: query,',
    'page, in: query, required: true,',
    `major: ${LIST}, parameter page: must now be sent`,
  ],
  [
    'default: 1',
    'default: 2',
    `major: ${LIST}, parameter page: default changes from 1 to 2: leaving it out means something else`,
  ],
  [
    ', default: 1',
    '',
    `major: ${LIST}, parameter page: loses default: 1: leaving it out means something else`,
  ],
  [
    'X-Trace, in: header, schema: { type: string',
    'X-Trace, in: header, schema: { type: string, default: no',
    `major: ${LIST}, parameter X-Trace: gets default: "no": leaving it out means something else`,
  ],
  [
    'explode: true',
    'explode: false',
    `major: ${LIST}, parameter tag: explode changes from true to false: it is sent in another form`,
  ],
  [
    'items: { type: string }',
    'items: { type: integer }',
    `major: ${LIST}, parameter tag[]: type changes from "string" to "integer": takes something else than before`,
  ],
  [
    PAGE,
    `${PAGE}        - { $ref: '#/components/parameters/Since' }\n`,
    `minor: ${LIST}, parameter since: is new, and may be sent in the query`,
  ],
  [
    'name: row, in: query',
    'name: row, in: query, required: true',
    'major: PUT /shelf, parameter row: must now be sent',
  ],
  [
    'name: page,',
    'name: page, description: The page.,',
    `patch: ${LIST}, parameter page: gets description: "The page."`,
  ],
  ['name: page,', 'name: page, deprecated: true,', `minor: ${LIST}, parameter page: gets deprecated: true`],
]);

test('a path parameter is renamed', () => {
  const revision = edit(edit(SHOP, '/pets/{petId}:', '/pets/{id}:'), 'name: petId', 'name: id');
  expect(compare(SHOP, revision)).toEqual([
    'major: GET /pets/{id}, parameter id: is now called id, and was petId: it is a name of the client',
  ]);
});
