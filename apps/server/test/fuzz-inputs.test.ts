import fc from 'fast-check';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { inputsOf } from './fuzz/inputs.ts';
import { operationsIn } from './fuzz/operations.ts';
import { verdictOn } from './fuzz/texts.ts';
import { createFits } from './fuzz/values.ts';

const text = { type: 'string' };
const named = { $ref: '#/components/schemas/Named' };
const schemas = {
  Named: {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer', readOnly: true }, name: text },
  },
  Tree: {
    type: 'object',
    required: ['name'],
    properties: {
      name: text,
      parent: { $ref: '#/components/schemas/Tree' },
      children: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Tree' } },
    },
  },
};

/** A hundred requests with bodies of `schema`, most of which are to keep to the contract. */
function requests(schema: JsonObject) {
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const document = {
    security: [],
    paths: { '/things': { post: { operationId: 'create', requestBody, responses: {} } } },
    components: { schemas },
  };
  const [operation] = operationsIn(document);
  if (!operation) throw new Error('there is no operation');
  return fc.sample(inputsOf(operation).fitting, { seed: 1, numRuns: 100 });
}

// About one in six is sent without its body, and recursion ends somewhere.
test.each<[string, JsonObject]>([
  ['properties that only replies have', named],
  [
    'such properties of a part of an allOf',
    { allOf: [named, { type: 'object', properties: { note: text } }] },
  ],
  ['itself', { $ref: '#/components/schemas/Tree' }],
])('most bodies made for a schema that has %s are valid', (_name, schema) => {
  const made = requests(schema);
  expect(made.filter(({ verdict }) => verdict === 'valid').length).toBeGreaterThan(60);
  expect(made.filter(({ body }) => body?.includes('"id"'))).toEqual([]);
});

test.each([
  ['1.5', 'valid'],
  ['2.0', 'valid'],
  ['1000000000000000000', 'valid'],
  ['-1000000000000000001', 'either'],
  ['9007199254740990.6', 'either'],
  ['9'.repeat(400), 'either'],
  ['two', 'invalid'],
])('a number that the service cannot take as it is written is not called valid: %s', (number, verdict) => {
  expect(verdictOn(number, { type: 'number' }, createFits({}))).toBe(verdict);
});
