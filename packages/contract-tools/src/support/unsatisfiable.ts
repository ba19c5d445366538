import type { Contract, Json } from '../contract.ts';
import { leadsTo } from '../schema-graph.ts';
import { on, repeated, where, type Row } from './row.ts';
import { keywordsBeside } from './features/schemas/keywords.ts';

const { mistake } = on('Schema');

/* Schemas that no value fits, or that no value fits in one of their branches, where that can be told without a search. */

interface Amount {
  /** How many there are at least, and can be at most, by what else the schema says. */
  readonly between: (schema: Json, items: Json) => readonly [number, number];
  readonly example: string;
}

const AMOUNTS: Readonly<Record<string, Amount>> = {
  Length: { between: () => [0, Infinity], example: 'type: string\nminLength: 3 # here\nmaxLength: 2' },
  Items: {
    between: ({ uniqueItems }, { type, enum: values }) => [
      0,
      uniqueItems ? (values?.length ?? (type === 'boolean' ? 2 : Infinity)) : Infinity,
    ],
    example: 'type: array\nitems: { type: boolean }\nuniqueItems: true\nminItems: 3 # here',
  },
  Properties: {
    between: ({ required = [], properties = {}, additionalProperties }) => [
      required.length,
      additionalProperties === false ? Object.keys(properties).length : Infinity,
    ],
    example:
      'type: object\nrequired: [a, b]\nproperties: { a: { type: string }, b: { type: string } }\nmaxProperties: 1 # here',
  },
};

const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'];

/** Whether no number is within the bounds of `schema`. */
function isEmptyRange({ type, format, multipleOf, ...schema }: Json): boolean {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const { exclusiveMinimum: over = -Infinity, exclusiveMaximum: under = Infinity } = schema;
  const low = format === 'int32' ? Math.max(minimum, -(2 ** 31)) : minimum;
  const high = format === 'int32' ? Math.min(maximum, 2 ** 31 - 1) : maximum;
  const step = multipleOf ?? ([type].flat().includes('integer') ? 1 : 0);
  if (!step) return low > high || low >= under || over >= high || over >= under;
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  return Math.max(first, Math.floor(over / step) + 1) > Math.min(last, Math.ceil(under / step) - 1);
}

/** The schemas that a part of each value of `schema` has to fit. */
const inevitable = ({ type, allOf = [], required = [], properties = {} }: Json): Json[] =>
  [type].flat().includes('null') ? [] : [...allOf, ...required.map((name: string) => properties[name])];

/** The types that each part of an `allOf` allows, as far as it says. */
function partTypes(schema: Json, contract: Contract): string[][] {
  const parts: Json[] = [schema, ...schema.allOf].map((part) => contract.resolve(part)?.type ?? []);
  const types = parts.map((type) => [type].flat().map((each) => (each === 'integer' ? 'number' : each)));
  return types.filter(({ length }) => length > 0);
}

export const unsatisfiable: readonly Row[] = [
  ...Object.entries(AMOUNTS).map(([of, { between, example }]): Row =>
    mistake(
      'the least is above the most: no value fits',
      (schema, _place, contract) => {
        const [least, most] = between(schema, contract.resolve(schema.items) ?? {});
        const { [`min${of}`]: low = 0, [`max${of}`]: high = Infinity } = schema;
        const isCrossed = Math.max(least, low) > Math.min(most, high);
        return isCrossed ? [[`min${of}` in schema ? `min${of}` : `max${of}`]] : [];
      },
      example,
    ),
  ),
  mistake(
    'no number is within these bounds',
    (schema) => (isEmptyRange(schema) ? [[BOUNDS.find((bound) => bound in schema) ?? 'type']] : []),
    'type: integer\nexclusiveMinimum: 3 # here\nmaximum: 3',
  ),
  mistake(
    'no value fits all parts: their types differ',
    where((schema, contract) => {
      const [first = [], ...rest] = schema.allOf ? partTypes(schema, contract) : [];
      return rest.length > 0 && !first.some((type) => rest.every((each) => each.includes(type)));
    }, 'allOf'),
    'allOf: [{ type: string }, { type: integer }] # here',
  ),
  mistake(
    "the type allows null, but a part of allOf does not: write oneOf: [{ allOf: … }, { type: 'null' }]",
    where(
      (schema, contract) =>
        [schema.type].flat().includes('null') &&
        schema.allOf &&
        partTypes(schema, contract).some((types) => !types.includes('null')),
      'type',
    ),
    'type: [object, "null"] # here\nallOf: [{ $ref: "#/components/schemas/Tagged" }]',
  ),
  mistake(
    'no value fits exactly one of two branches that are the same',
    repeated('oneOf', (branch, contract) => {
      const schema = contract.resolve(branch) ?? {};
      return JSON.stringify(
        keywordsBeside(schema)
          .sort()
          .map((name) => [name, schema[name]]),
      );
    }),
    'oneOf:\n  - { type: string }\n  - { type: string, title: Name } # here',
  ),
  mistake(
    'no value ever ends: what is required leads back to the schema',
    where(
      (schema, contract) =>
        schema.required && leadsTo(contract, inevitable(schema), (each) => each === schema, inevitable),
      'required',
    ),
    'type: object\nrequired: [next] # here\nproperties: { next: { $ref: "#/components/schemas/Example" } }',
  ),
];
