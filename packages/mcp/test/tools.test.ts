import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parseContract } from '@kit/tools/source-document';
import { contractOf } from '@kit/tools/contract-value';
import { toolsOf, type Tool } from '@kit/mcp';

/** The contract with every feature of docs/contract.md. */
const kitchenSink = parseContract(readFileSync(require.resolve('@kit/tools/kitchen-sink.yaml'), 'utf8'));

const names = { name: 'library', keyPrefix: 'lib_', databaseFile: 'store.db' };
const contract = contractOf(kitchenSink, names);
const tools = toolsOf(contract, { deprecated: true });
const tool = (name: string) => tools.find((tool) => tool.name === name) as Tool;

test('schemas are plain JSON Schema, of objects, with an object for each property', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  addFormats.default(ajv);
  for (const ours of ['int32', 'int64', 'float', 'double', 'byte', 'password']) delete ajv.formats[ours];
  for (const schema of tools.flatMap(({ inputSchema, outputSchema = inputSchema }) => [
    inputSchema,
    outputSchema,
  ])) {
    expect(schema['type']).toBe('object');
    expect(() => ajv.compile(schema)).not.toThrow();
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === 'properties')
        for (const property of Object.values(value as object)) expect(property).toEqual(expect.any(Object));
      return value;
    });
  }
});

const int64 = {
  type: ['integer', 'string'],
  pattern: '^(0|-?[1-9][0-9]{0,18})$',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

test.each([
  ['findBooks', 'after', { ...int64, default: 0, description: 'The last id of the page before.' }],
  ['findBooks', 'book', { type: 'array', maxItems: 50, items: int64, description: 'These books.' }],
  ['findBooks', 'X-Snapshot', { ...int64, description: 'The state to read.' }],
  ['findBooks', 'age', { type: ['integer', 'null'], description: 'In years; null where nobody knows.' }],
  ['getBook', 'bookId', { ...int64, minimum: 1, description: 'Which book.' }],
  ['echoFormats', 'int64', { type: 'integer' }],
  ['pay', 'body', { $ref: '#/$defs/Payment' }],
  ['changeBook', 'body', expect.objectContaining({ type: 'object' })],
])('%s accepts %s as the client does, and 64-bit integers as numbers or text', (name, property, schema) => {
  expect(tool(name).inputSchema['properties']).toHaveProperty([property], schema);
});

test('a recursive schema refers to itself in $defs', () => {
  const children = { type: 'array', items: { $ref: '#/$defs/Category' } };
  expect(tool('replaceCategories').inputSchema['$defs']).toMatchObject({
    Category: { properties: { children } },
  });
});

test.each([
  ['a GET', 'getBook', [true, false, true, false]],
  ['a PUT', 'replaceBook', [false, true, true, false]],
  ['a DELETE', 'removeBook', [false, true, true, false]],
  ['a PATCH', 'changeBook', [false, true, false, false]],
  ['a POST that adds', 'createBook', [false, false, false, false]],
  ['another POST', 'pay', [false, true, false, false]],
])('the annotations of %s follow from method and statuses', (_what, name, hints) => {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool(name).annotations;
  expect([readOnlyHint, destructiveHint, idempotentHint, openWorldHint]).toEqual(hints);
});
