import { parseContract } from '../src/contract.ts';
import { checkSupport } from '../src/support/check-support.ts';
import { withExample } from './support/example.ts';

/** The branches of a oneOf, and which of them no value of theirs can ever be taken for. */
const BRANCHES: readonly (readonly [branches: string, taken: number[]])[] = [
  ['{ type: string }, { type: string, title: Name }', [1]],
  ['{ type: integer }, { type: number }', [0]],
  ['{ type: string, enum: [a] }, {}', [0]],
  ['{ type: [string, "null"] }, { type: "null" }', [1]],
  ['{ type: string }, { type: integer }', []],
  ['{ type: string, maxLength: 3 }, { type: string, minLength: 4 }', []],
  ['{ type: object, properties: { a: {} } }, { type: object, properties: { b: {} } }', [1]],
  ['{ type: object, required: [a], properties: { a: {} } }, { type: object, properties: { b: {} } }', [0]],
  [
    '{ type: object, required: [a], properties: { a: {} } }, { type: object, required: [b], properties: { b: {} } }',
    [],
  ],
  [
    '{ type: object, properties: { a: { type: string } } }, { type: object, properties: { a: { type: integer } } }',
    [],
  ],
  [
    '{ $ref: "#/components/schemas/Tagged" }, { allOf: [{ $ref: "#/components/schemas/Tagged" }, { type: object, properties: { b: {} } }] }',
    [1],
  ],
  [
    '{ type: object, properties: { a: {} }, additionalProperties: false }, { type: object, properties: { b: {} }, additionalProperties: false }',
    [],
  ],
  [
    '{ type: object, properties: { a: {} }, additionalProperties: false }, { type: object, properties: { a: {}, b: {} }, additionalProperties: false }',
    [0],
  ],
  [
    '{ type: object, additionalProperties: true }, { type: object, properties: { a: { type: string } } }',
    [1],
  ],
  [
    '{ type: object, additionalProperties: { type: string } }, { type: object, properties: { a: { type: string } } }',
    [],
  ],
];

test.each(BRANCHES)('of oneOf: [%s] the branches %j are never the only one that fits', (branches, taken) => {
  const text = withExample('Schema', `oneOf: [${branches}]`);
  const contract = parseContract(text);
  const places = taken.map((index) =>
    contract.problemWrittenAt(
      ['components', 'schemas', 'Example', 'oneOf', index],
      expect.stringMatching(/^what fits this branch fits another one too/) as string,
    ),
  );
  expect(checkSupport(contract).problems).toEqual(places);
});
