/* What bodies.yaml has, each in a row, as in rows.ts. */
import type { Bodies } from './bodies/index.ts';
import type { Operations } from './bodies/operations.ts';
import { post, tableOf } from './table.ts';

const row = tableOf<Bodies, Operations>('bodies.yaml', {
  setCount: { status: 200, body: 3 },
  setFlag: { status: 200, body: true },
  addDocument: { status: 200, body: '<doc id="1"/>' },
  setAny: { status: 200, body: 'a' },
  setNumber: { status: 200, body: 1.5 },
  setFields: { status: 204 },
  setOpen: { status: 200, body: { id: 'a', more: 'b' } },
  setCounts: { status: 200, body: { total: 1, more: [true] } },
  setPairs: { status: 200, body: ['a', 1, 2] },
  addPrice: { status: 200, body: 1070468.14 },
  setValue: { status: 200, body: [1, ['a', null]] },
  addRule: { status: 201 },
});

const put = (target: string, type: string, body: string) => post(target, type, body, 'PUT');
const json = (target: string, body: string) => put(target, 'application/json', body);
const invalid = (message: string) => [400, message] as const;
const plain = { 'Content-Type': 'text/plain' };

export const rows = [
  row('the text of an integer', 'setCount', {
    input: { body: 3 },
    sent: [put('/count', 'text/plain', '3'), put('/count', 'text/plain; charset=utf-8', '3')],
    received: { body: 3 },
    rejects: {
      [put('/count', 'text/plain', '0')]: invalid('body must be >= 1.'),
      [put('/count', 'text/plain', 'three')]: invalid('body must be integer.'),
      [put('/count', 'text/plain', '3.5')]: invalid('body must be integer.'),
      [put('/count', 'text/plain', '')]: invalid('body must be integer.'),
      [json('/count', '3')]: [415, 'The body must be text/plain, and not encoded.'],
    },
    breaks: [
      { status: 200, body: 0 },
      // @ts-expect-error it is a number
      { status: 200, body: 'three' },
    ],
  }),
  row('the text of a boolean', 'setFlag', {
    input: { body: false },
    sent: [put('/flag', 'text/plain', 'false')],
    received: { body: false },
    rejects: { [put('/flag', 'text/plain', 'no')]: invalid('body must be boolean,null.') },
    // @ts-expect-error it is a boolean
    breaks: [{ status: 200, body: 'no' }],
  }),
  row('null as text', 'setFlag', {
    input: { body: null },
    sent: [put('/flag', 'text/plain', 'null'), put('/flag', 'text/plain', '')],
    received: { body: null },
    answer: { status: 200, body: null },
  }),
  row('XML whose schema describes what it means, as text', 'addDocument', {
    input: { body: '<doc id="7"/>' },
    sent: [post('/document', 'application/xml', '<doc id="7"/>')],
    received: { body: '<doc id="7"/>' },
    // @ts-expect-error it is text
    refuses: { 'body cannot be sent as application/xml': { body: { id: 7 } } },
  }),
  row('a text of any type, as JSON if nothing names another', 'setAny', {
    input: { body: 'a' },
    sent: [json('/any', '"a"'), put('/any', 'text/plain', 'a'), put('/any', 'text/csv', 'a')],
    received: { body: 'a' },
    rejects: {
      [json('/any', 'a')]: invalid('The body must be valid JSON.'),
      [json('/any', '3')]: invalid('body must be string.'),
      [put('/any', 'text/plain', 'longer')]: invalid('body must NOT have more than 5 characters.'),
      [put('/any', 'image/png', 'a')]: [415, 'The body must be application/json, and not encoded.'],
    },
  }),
  row('a text of a type that the handler names', 'setAny', {
    input: { body: 'a' },
    answer: { status: 200, headers: plain, body: 'b' },
    breaks: [{ status: 200, headers: plain, body: 'longer' }],
  }),
  row('an error of a type that the handler names', 'setAny', {
    input: { body: 'a' },
    answer: { status: 409, headers: plain, body: 'Full.' },
    fails: { name: 'ApiError', status: 409, body: 'Full.' },
  }),
  row('a number of any type', 'setNumber', {
    input: { body: 2.5 },
    sent: [json('/number', '2.5'), put('/number', 'text/plain', '2.5')],
    received: { body: 2.5 },
    rejects: { [put('/number', 'text/plain', 'x')]: invalid('body must be number.') },
  }),
  row('a number of a type that the handler names', 'setNumber', {
    input: { body: 2.5 },
    answer: { status: 200, headers: plain, body: 0.5 },
  }),
  row('an object of any type, as JSON or as a form', 'setFields', {
    input: { size: 1, tags: ['a', 'b'] },
    sent: [
      json('/fields', '{"size":1,"tags":["a","b"]}'),
      put('/fields', 'application/x-www-form-urlencoded', 'size=1&tags=a&tags=b'),
    ],
    received: { body: { size: 1, tags: ['a', 'b'] } },
    rejects: { [put('/fields', 'text/plain', '{"size":1}')]: invalid('body must be object.') },
  }),
  row('fields that only unevaluatedProperties describes', 'setOpen', {
    input: { body: { id: 'a', more: 'b' } },
    sent: [json('/open', '{"id":"a","more":"b"}')],
    received: { body: { id: 'a', more: 'b' } },
    rejects: {
      [json('/open', '{"id":"a","more":"longer"}')]: invalid(
        'body/more must NOT have more than 5 characters.',
      ),
    },
    breaks: [{ status: 200, body: { id: 'a', more: 'longer' } }],
  }),
  row('any other fields', 'setCounts', {
    input: { body: { total: 1, more: 2 } },
    sent: [json('/counts', '{"total":1,"more":2}')],
    received: { body: { total: 1, more: 2 } },
    rejects: { [json('/counts', '{"more":"b"}')]: invalid('body/more must be integer.') },
  }),
  row('items that follow the first ones', 'setPairs', {
    input: { body: ['a', 1] },
    sent: [json('/pairs', '["a",1]')],
    received: { body: ['a', 1] },
    rejects: { [json('/pairs', '["a","b"]')]: invalid('body/1 must be integer.') },
    // @ts-expect-error numbers follow the name
    breaks: [{ status: 200, body: ['a', 'b'] }],
  }),
  row('amounts in cents', 'addPrice', {
    input: { least: 1070468.14, amount: 1070468.14 },
    sent: [post('/prices?least=1070468.14', 'application/json', '{"amount":1070468.14}')],
    received: { query: { least: 1070468.14 }, body: { amount: 1070468.14 } },
    rejects: {
      [post('/prices?least=0.005', 'application/json', '{"amount":1}')]: invalid(
        'least must be a multiple of 0.01.',
      ),
      [post('/prices', 'application/json', '{"amount":0.005}')]: invalid(
        'body/amount must be multiple of 0.01.',
      ),
    },
    breaks: [{ status: 200, body: 0.005 }],
  }),
  row('a list whose items may be lists of the same kind', 'setValue', {
    input: { body: [[['a']], { more: [true] }] },
    sent: [json('/values', '[[["a"]],{"more":[true]}]')],
    received: { body: [[['a']], { more: [true] }] },
  }),
  row('required fields with the names of functions of each object', 'addRule', {
    input: { toString: 'a', valueOf: 'b' },
    sent: [post('/rules', 'application/json', '{"toString":"a","valueOf":"b"}')],
    received: { body: { toString: 'a', valueOf: 'b' } },
  }),
];
