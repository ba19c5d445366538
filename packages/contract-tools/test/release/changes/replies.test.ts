import { testRows } from '../../support/shop.ts';

const LIST = 'GET /orders';

testRows([
  [
    "        '304': {",
    "        '202': { description: Accepted. }\n        '304': {",
    `minor: ${LIST}, response 202: is new`,
  ],
  ["        '304': { description: Not modified. }\n", '', `major: ${LIST}, response 304: is gone`],
  [
    "        '304': {",
    "        '500': { $ref: '#/components/responses/Failed' }\n        '304': {",
    `minor: ${LIST}, response 500: is new`,
  ],
  [
    "'201'",
    "'200'",
    'major: POST /orders, response 201: is gone',
    'minor: POST /orders, response 200: is new',
  ],
  [
    'description: Orders.',
    'description: All orders.',
    `patch: ${LIST}, response 200: description changes from "Orders." to "All orders."`,
  ],
  [
    'schema: { type: string } }\n          content: { application/json:',
    'schema: { type: string } }\n          content: { text/csv:',
    `major: ${LIST}, response 200: no longer has application/json`,
    `minor: ${LIST}, response 200: may have text/csv`,
  ],
  [
    'description: Not modified. }',
    'description: Not modified., content: { application/json: { schema: {} } } }',
    `minor: ${LIST}, response 304: may have application/json`,
  ],
  ['kind: {', 'size: { type: string }\n        kind: {', 'minor: Order.size: is new in replies'],
  ['        kind: { type: string }\n', '', 'major: Order.kind: is no longer there in replies'],
  [
    'kind: { type: string',
    'kind: { type: string, writeOnly: true',
    'major: Order.kind: is now writeOnly: it is no longer there in replies',
  ],
  ['required: [id]', 'required: []', 'major: Order.id: may now be missing, and was always there'],
  ['required: [id]', 'required: [id, kind]', 'minor: Order.kind: is now always there'],
  [
    'ok: { type: boolean }',
    'done: { type: boolean }',
    'major: POST /orders, response 201, ok: is no longer there in replies',
    'minor: POST /orders, response 201, done: is new in replies',
  ],
  ['[big, small]', '[big, small, tiny]', 'minor: Order.hint: may have the new value tiny'],
  ['[big, small]', '[big]', 'major: Order.hint: no longer has the value small'],
  ['x-extensible-enum', 'enum', 'minor: Order.hint: gets enum: ["big","small"]: promises more than before'],
  [
    ', x-extensible-enum: [big, small]',
    '',
    'major: Order.hint: no longer has the value big',
    'major: Order.hint: no longer has the value small',
  ],
  ['kind: { type: string', 'kind: { type: string, default: a', 'patch: Order.kind: gets default: "a"'],
  [
    '            X-Total: { required: true, schema: { type: integer } }\n',
    '',
    `major: ${LIST}, response 200: no longer has the header X-Total`,
  ],
  [
    '            Link: {',
    '            ETag: { schema: { type: string } }\n            Link: {',
    `minor: ${LIST}, response 200: has the new header ETag`,
  ],
  [
    'X-Total: { required: true',
    'X-Total: { required: false',
    `major: ${LIST}, response 200, header X-Total: may now be missing, and was always there`,
  ],
  ['Link: {', 'Link: { required: true,', `minor: ${LIST}, response 200, header Link: is now always there`],
  [
    'X-Total',
    'x-total',
    `major: ${LIST}, response 200, header x-total: is now called x-total, and was X-Total: it is a name of the client`,
  ],
  [
    "{ $ref: '#/components/schemas/Order' }",
    "{ type: array, items: { $ref: '#/components/schemas/Order' } }",
    `major: ${LIST}, response 200: type changes from "object" to "array": promises something else than before`,
  ],
  [
    'X-Total: { required: true, schema: { type: integer',
    'X-Total: { required: true, schema: { type: string',
    `major: ${LIST}, response 200, header X-Total: type changes from "integer" to "string": promises something else than before`,
  ],
]);
