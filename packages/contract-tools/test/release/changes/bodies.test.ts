import { testRows } from '../../support/shop.ts';

testRows([
  [
    '        required: true\n',
    '',
    'major: POST /orders, body: is passed as `body` in the client, and its fields stood beside the parameters',
    'minor: POST /orders, body: may now be left out',
  ],
  [
    'required: true\n        content: { application/json:',
    'required: true\n        content: { text/plain:',
    'major: POST /orders, body: is no longer taken as application/json',
    'minor: POST /orders, body: may be sent as text/plain',
  ],
  ['gift: {', 'size: { type: string }\n        gift: {', 'minor: NewOrder.size: is new, and may be sent'],
  ['required: [count]', 'required: [count, gift]', 'major: NewOrder.gift: must now be sent'],
  ['required: [count]', 'required: []', 'minor: NewOrder.count: may now be left out'],
  [
    '      requestBody:\n        required: true',
    '      parameters: [{ name: note, in: header, schema: { type: string } }]\n      requestBody:\n        required: true',
    'major: POST /orders, body: is passed as `body` in the client, and its fields stood beside the parameters',
    'minor: POST /orders, parameter note: is new, and may be sent in the header',
  ],
  [
    "schema: { $ref: '#/components/schemas/NewOrder' }",
    "schema: { allOf: [{ $ref: '#/components/schemas/NewOrder' }] }",
    'major: POST /orders, body: is passed as `body` in the client, and its fields stood beside the parameters',
  ],
  ['        gift: { type: boolean }\n', '', 'major: NewOrder.gift: may no longer be sent'],
  [
    'gift: {',
    'present: {',
    'major: NewOrder.gift: may no longer be sent',
    'minor: NewOrder.present: is new, and may be sent',
  ],
  [
    'gift: { type: boolean',
    'gift: { type: boolean, readOnly: true',
    'major: NewOrder.gift: is now readOnly: it may no longer be sent',
  ],
  [
    'default: none',
    'default: some',
    'major: NewOrder.note: default changes from "none" to "some": leaving it out means something else',
  ],
  [
    'gift: { type: boolean',
    'gift: { type: boolean, default: false',
    'minor: NewOrder.gift: gets default: false: leaving it out means something else',
  ],
  [
    'required: [count]\n      properties:\n',
    'required: [count, size]\n      properties:\n        size: { type: string, default: big }\n',
    'minor: NewOrder.size: is new, and may be sent',
  ],
  // A field with a default becomes required.
  ['required: [count]', 'required: [count, note]'],
  [
    'count: { type: integer',
    'count: { type: integer, default: 1',
    'minor: NewOrder.count: may now be left out',
  ],
  [
    'gift: { type: boolean }',
    "gift: { $ref: '#/components/schemas/Pet' }",
    'major: NewOrder.gift: type changes from "boolean" to "object": takes something else than before',
  ],
  [
    'required: [count]\n      properties:\n',
    "required: [count, pet]\n      properties:\n        pet: { $ref: '#/components/schemas/Pet' }\n",
    'major: NewOrder.pet: is new, and must be sent',
  ],
  [
    'required: [count]',
    'required: [count]\n      additionalProperties: false',
    'major: NewOrder: gets additionalProperties: false: takes less than before',
  ],
]);
