import { testRows } from '../../support/shop.ts';

testRows([
  [
    'a body becomes optional',
    '        required: true\n',
    '',
    'major: POST /orders, body: is passed as `body` in the client, and its fields stood beside the parameters',
    'minor: POST /orders, body: may now be left out',
  ],
  [
    'a body of another type',
    'required: true\n        content: { application/json:',
    'required: true\n        content: { text/plain:',
    'major: POST /orders, body: is no longer taken as application/json',
    'minor: POST /orders, body: may be sent as text/plain',
  ],
  [
    'a required field comes',
    'gift: {',
    'size: { type: string }\n        gift: {',
    'minor: NewOrder.size: is new, and may be sent',
  ],
  [
    'an optional field becomes required',
    'required: [count]',
    'required: [count, gift]',
    'major: NewOrder.gift: must now be sent',
  ],
  [
    'a field becomes optional',
    'required: [count]',
    'required: []',
    'minor: NewOrder.count: may now be left out',
  ],
  [
    'a field of a body with the name of a parameter',
    '      requestBody:\n        required: true',
    '      parameters: [{ name: note, in: header, schema: { type: string } }]\n      requestBody:\n        required: true',
    'major: POST /orders, body: is passed as `body` in the client, and its fields stood beside the parameters',
    'minor: POST /orders, parameter note: is new, and may be sent in the header',
  ],
  [
    'a body that is composed',
    "schema: { $ref: '#/components/schemas/NewOrder' }",
    "schema: { allOf: [{ $ref: '#/components/schemas/NewOrder' }] }",
    'major: POST /orders, body: is passed as `body` in the client, and its fields stood beside the parameters',
  ],
  ['a field goes', '        gift: { type: boolean }\n', '', 'major: NewOrder.gift: may no longer be sent'],
  [
    'a field is renamed',
    'gift: {',
    'present: {',
    'major: NewOrder.gift: may no longer be sent',
    'minor: NewOrder.present: is new, and may be sent',
  ],
  [
    'a field becomes readOnly',
    'gift: { type: boolean',
    'gift: { type: boolean, readOnly: true',
    'major: NewOrder.gift: is now readOnly: it may no longer be sent',
  ],
  [
    'the default of a field changes',
    'default: none',
    'default: some',
    'major: NewOrder.note: default changes from "none" to "some": leaving it out means something else',
  ],
  [
    'a field gets a default',
    'gift: { type: boolean',
    'gift: { type: boolean, default: false',
    'minor: NewOrder.gift: gets default: false: leaving it out means something else',
  ],
  [
    'unknown fields are refused',
    'required: [count]',
    'required: [count]\n      additionalProperties: false',
    'major: NewOrder: gets additionalProperties: false: takes less than before',
  ],
]);
