import { testRows } from '../../support/shop.ts';

const LIST = 'GET /orders';

testRows([
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
]);
