import { readFileSync } from 'node:fs';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import * as petstore from '@petstore/contract';
import { document } from '@petstore/contract/document';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe as described } from '@petstore/server/test/kitchen-sink/described';
import { parseContract } from '@petstore/contract-tools/contract';
import { operationValueOf, policyOf } from '@petstore/contract-tools/generate/operation-values';
import { plainDocument } from '@petstore/contract-tools/generate/plain-document';
import { operationsOf } from '@petstore/contract-tools/operations';
import { toolsOf, type Contract, type Tool } from '../src/tools.ts';

/** The contract in which everything that docs/contract.md says works is at least once. */
const kitchenSink = parseContract(
  readFileSync(require.resolve('@petstore/contract-tools/kitchen-sink.yaml'), 'utf8'),
);

function contractOf(contract: typeof kitchenSink): Contract {
  const operations = operationsOf(contract);
  return {
    document: plainDocument(contract) as JsonObject,
    operations: Object.fromEntries(operations.map((each) => [each.id, operationValueOf(contract, each)])),
    policies: Object.fromEntries(operations.map((each) => [each.id, policyOf(each)])),
  };
}

const tools = toolsOf(contractOf(kitchenSink), { deprecated: true });
const tool = (name: string) => tools.find((each) => each.name === name) as Tool;

const numRuns = 25;

/** What the MCP server would say against a value. */
function complaintsOf(schema: JsonObject): (value: unknown) => Promise<unknown> {
  const { validate } = fromJsonSchema(schema)['~standard'];
  return async (value) => (await validate(value)).issues;
}

describe.each(described(kitchenSink.document as JsonObject))(
  '$id of the kitchen-sink contract',
  ({ id, calls, answers }) => {
    test('takes every input that the contract allows', async () => {
      const asJson = (value: unknown) =>
        JSON.parse(
          JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each)),
        ) as unknown;
      const complaints = complaintsOf(tool(id).inputSchema);
      await fc.assert(
        fc.asyncProperty(calls, async ({ input }) => {
          expect(await complaints(asJson(input))).toBeUndefined();
        }),
        { numRuns },
      );
    });

    test('gives an output for every success that the contract allows', async () => {
      const { outputs, outputSchema } = tool(id);
      const complaints = outputSchema && complaintsOf(outputSchema);
      const successes = answers.filter(({ status }) => status < 400);
      await fc.assert(
        fc.asyncProperty(successes, async ({ status, body }) => {
          const { structuredContent, content } = outputs[status]?.resultOf(body) ?? {};
          expect(content).not.toHaveLength(0);
          expect(structuredContent !== undefined).toBe(outputSchema !== undefined);
          expect(await complaints?.(structuredContent)).toBeUndefined();
        }),
        { numRuns },
      );
    });
  },
);

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

const int64 = { type: 'string', pattern: '^(0|-?[1-9][0-9]{0,18})$' };

test.each([
  ['findPets', 'after', { ...int64, default: '0', description: 'The last id of the page before.' }],
  ['findPets', 'pet', { type: 'array', maxItems: 50, items: int64, description: 'These pets.' }],
  ['findPets', 'X-Snapshot', { ...int64, description: 'The state to read.' }],
  ['findPets', 'age', { type: ['integer', 'null'], description: 'In years; null where nobody knows.' }],
  ['getPet', 'petId', { ...int64, description: 'Which pet.' }],
  ['echoFormats', 'int64', { type: 'integer' }],
  ['pay', 'body', { $ref: '#/$defs/Payment' }],
  ['changePet', 'body', expect.objectContaining({ type: 'object' })],
])('%s takes %s as the client does, and integers of 64 bits as text', (name, property, schema) => {
  expect(tool(name).inputSchema['properties']).toHaveProperty([property], schema);
});

test('what refers to itself does so in $defs', () => {
  expect(tool('replaceCategories').inputSchema['$defs']).toEqual({
    Category: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        parent: { oneOf: [{ $ref: '#/$defs/Category' }, { type: 'null' }] },
        children: { type: 'array', items: { $ref: '#/$defs/Category' } },
      },
    },
  });
});

test.each([
  ['a GET', 'getPet', [true, false, true, false]],
  ['a PUT', 'replacePet', [false, true, true, false]],
  ['a DELETE', 'removePet', [false, true, true, false]],
  ['a PATCH', 'changePet', [false, true, false, false]],
  ['a POST that adds', 'createPet', [false, false, false, false]],
  ['another POST', 'pay', [false, true, false, false]],
])('the annotations of %s follow from method and statuses', (_what, name, hints) => {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool(name).annotations;
  expect([readOnlyHint, destructiveHint, idempotentHint, openWorldHint]).toEqual(hints);
});

type Published = { readonly id: string; readonly method: string; readonly isDeprecated: boolean };

test.each<[string, object, (operation: Published) => boolean]>([
  ['what is not deprecated', {}, ({ isDeprecated }) => !isDeprecated],
  ['what is deprecated too, if asked to', { deprecated: true }, () => true],
  [
    'what changes nothing, if asked to',
    { readOnly: true },
    ({ method, isDeprecated }) => method === 'GET' && !isDeprecated,
  ],
])('there is a tool for %s', (_what, options, isThere) => {
  const operations = Object.entries(petstore.operations).map(([id, { method }]) => {
    const isDeprecated = 'deprecation' in petstore.policies[id as keyof typeof petstore.policies];
    return { id, method, isDeprecated };
  });
  const names = operations.filter(isThere).map(({ id }) => id);
  expect(toolsOf({ document, ...petstore }, options).map(({ name }) => name)).toEqual(names);
});
