import { parseContract } from '@contract-kit/core/openapi';
import { remarksOn } from '../src/rules/check-contract.ts';

const ITEM = '{ type: object, properties: { text: { type: string, maxLength: 5000 } } }';
const LIST = `{ type: array, maxItems: 100, items: ${ITEM} }`;

const remarksFor = (schema: string, type = 'application/json', more = '') => {
  const text = `openapi: 3.1.0
info: { title: Bulk, version: '1' }
paths:
  /items:
    post:
      operationId: addItems
      ${more}
      requestBody: { content: { ${type}: { schema: ${schema} } } }
      responses: { '204': { description: Done. } }
components:
  schemas:
    Tree: { type: object, properties: { name: { type: string, maxLength: 60000 }, left: { $ref: '#/components/schemas/Tree' }, right: { $ref: '#/components/schemas/Tree' } } }
`;
  return remarksOn(parseContract(text)).map(({ line, message }) => [line, message]);
};
const remark = (bytes: string, limit = '100,000') =>
  expect.stringMatching(
    new RegExp(
      `^POST /items: its schema allows a body of ${bytes} bytes, and more than ${limit} are .* 413: set x-body-limit`,
    ),
  ) as string;

test.each<[string, string, string]>([
  ['a list of long texts', LIST, '501,201'],
  ['a field of an object', `{ type: object, properties: { items: ${LIST} } }`, '501,211'],
  ['a part of a composition', `{ allOf: [{ maxItems: 100 }, { type: array, items: ${ITEM} }] }`, '501,201'],
  ['one of two alternatives', `{ anyOf: [{ type: 'null' }, { type: integer }, ${LIST}] }`, '501,201'],
  [
    'a list of many small items',
    '{ type: array, maxItems: 10000, items: { type: string, format: uuid } }',
    '390,001',
  ],
  [
    'a list of words',
    '{ type: array, maxItems: 20000, items: { type: string, enum: [a, long] } }',
    '140,001',
  ],
])('remarks on a body that may be too large: %s', (_, schema, bytes) => {
  expect(remarksFor(schema)).toEqual([[8, remark(bytes)]]);
});

test.each([
  ['no maximum is stated', '{ type: array, items: { type: string } }'],
  ['it is small', '{ type: array, maxItems: 100, items: { type: string, maxLength: 500 } }'],
  ['only recursion makes it large', "{ $ref: '#/components/schemas/Tree' }"],
  [
    'the long text is of responses',
    '{ type: object, properties: { id: { type: string, maxLength: 200000, readOnly: true } } }',
  ],
])('does not remark on a body if %s', (_, schema) => {
  expect(remarksFor(schema)).toEqual([]);
});

test('the limit is that of the operation', () => {
  expect(remarksFor(LIST, 'application/json', 'x-body-limit: 600000')).toEqual([]);
  expect(remarksFor(LIST, 'application/json', 'x-body-limit: 500000')).toEqual([
    [7, remark('501,201', '500,000')],
  ]);
});

test('a form and a text have their own limit', () => {
  const long = (length: number) =>
    `{ type: object, properties: { text: { type: string, maxLength: ${length} } } }`;
  expect(remarksFor(long(900_000), 'multipart/form-data')).toEqual([]);
  expect(remarksFor(long(2_000_000), 'multipart/form-data')).toEqual([[8, remark('2,000,011', '1,000,000')]]);
  expect(remarksFor('{ type: string, maxLength: 2000000 }', 'text/plain')).toEqual([
    [8, remark('2,000,002', '1,000,000')],
  ]);
});
