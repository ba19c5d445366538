import { contractAjv } from '../../src/json/contract-ajv.ts';
import { closedComponents, closedSchema } from '../../src/model/closed-schema.ts';
import { readSchemas } from '../../src/model/index.ts';

const object = (properties: object, ...required: string[]) => ({ type: 'object', properties, required });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const [a, b, c] = ['a', 'b', 'c'].map((name) => object({ [name]: { type: 'integer' } }, name));

const schemas = {
  A: a,
  Anything: { description: 'Any JSON.' },
  Free: { type: 'object' },
  Tree: { oneOf: [a, object({ trees: { type: 'array', items: reference('Tree') } }, 'trees')] },
};

function isClosedTo(schema: object, value: object): boolean {
  const read = readSchemas({ components: { schemas } });
  const validator = contractAjv({}, closedComponents(read));
  return !validator.validate(closedSchema(schema, read), value);
}

const rows: readonly (readonly [schema: object, fits: object, undeclared: object | undefined])[] = [
  [reference('A'), { a: 1 }, { a: 1, x: 1 }],
  [{ oneOf: [a, b] }, { b: 1 }, { b: 1, x: 1 }],
  [{ oneOf: [reference('A'), b] }, { a: 1 }, { a: 1, x: 1 }],
  // A property that only a branch that does not match declares.
  [{ oneOf: [{ allOf: [a, c] }, b] }, { a: 1, c: 1 }, { b: 1, c: 1 }],
  [{ allOf: [{ oneOf: [a, b] }, c] }, { a: 1, c: 1 }, { a: 1, c: 1, x: 1 }],
  [{ allOf: [reference('A'), { description: 'The a.' }] }, { a: 1 }, { a: 1, x: 1 }],
  [{ oneOf: [{ allOf: [object({ a: reference('A') }, 'a')] }, b] }, { a: { a: 1 } }, { a: { a: 1, x: 1 } }],
  // At any depth of a recursive schema.
  [reference('Tree'), { trees: [{ trees: [{ a: 1 }] }] }, { trees: [{ trees: [{ a: 1, x: 1 }] }] }],
  // A schema that others extend.
  [
    { ...object({ kind: {} }, 'kind'), discriminator: { propertyName: 'kind' } },
    { kind: 'a', x: 1 },
    undefined,
  ],
  // One branch accepts any JSON, or a part is open.
  [{ anyOf: [a, {}] }, { x: 1 }, undefined],
  [{ anyOf: [a, reference('Anything')] }, { x: 1 }, undefined],
  [{ anyOf: [a, { type: 'object', additionalProperties: { type: 'string' } }] }, { x: 'x' }, { x: 1 }],
  [{ allOf: [a, { type: 'object', additionalProperties: true }] }, { a: 1, x: 1 }, undefined],
  // Objects of any properties.
  [{ allOf: [reference('Free'), { description: 'Any.' }] }, { x: 1 }, undefined],
  [{ oneOf: [{ type: 'array' }, { type: 'object' }] }, { x: 1 }, undefined],
  [{ allOf: [a], additionalProperties: true }, { a: 1, x: 1 }, undefined],
];

test.each(rows)(
  '%j rejects properties that none of its branches and parts declares',
  (schema, fits, undeclared) => {
    expect(isClosedTo(schema, fits)).toBe(false);
    if (undeclared) expect(isClosedTo(schema, undeclared)).toBe(true);
  },
);

test('schemas with many references to each other are processed once each', () => {
  const names = Array.from({ length: 30 }, (_, index) => `S${index}`);
  const chain = Object.fromEntries(
    names.map((name, index) => [
      name,
      object(index === 0 ? {} : { one: reference(`S${index - 1}`), other: reference(`S${index - 1}`) }),
    ]),
  );
  const read = readSchemas({ components: { schemas: chain } });
  const validator = contractAjv({}, closedComponents(read));
  const isValid = validator.compile(closedSchema(reference('S29'), read));
  expect([{ one: {} }, { other: { x: 1 } }].map((one) => isValid({ one }))).toEqual([true, false]);
});
