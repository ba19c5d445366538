import { isDeepStrictEqual } from 'node:util';
import { propertiesOf } from '@petstore/contract/schema-view';
import type { Contract, Json } from '../contract.ts';
import { leadsTo } from '../schema-graph.ts';
import { on, where, type Row } from './row.ts';
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

/** What a schema asks, those parts of its `allOf` included whose keywords do not hide one another. */
function wholeOf(schema: Json, contract: Contract, seen: readonly Json[] = []): Json {
  const resolved = contract.resolve(schema) ?? {};
  if (seen.includes(resolved)) return {};
  const { allOf = [], ...own } = resolved;
  const parts: Json[] = [...allOf.map((part: Json) => wholeOf(part, contract, [...seen, resolved])), own];
  return {
    ...Object.assign({}, ...parts),
    required: parts.flatMap(({ required = [] }) => required),
    properties: propertiesOf(resolved, contract),
  };
}

/** Whether what fits `inner`, and has no fields that it does not declare, fits `outer` as well, where that can be told. */
function isWithin(inner: Json, outer: Json): boolean {
  const isOpen = Boolean(inner.additionalProperties);
  return keywordsBeside(outer).every((name) => {
    const [given, asked] = [inner[name], outer[name]];
    switch (name) {
      case 'type': {
        const types = [asked, [asked].flat().includes('number') ? 'integer' : []].flat();
        return [given].flat().every((each) => types.includes(each));
      }
      case 'required':
        return asked.every((each: string) => given.includes(each));
      case 'properties':
        return Object.keys(asked).every((each) =>
          each in given ? isDeepStrictEqual(given[each], asked[each]) : !isOpen,
        );
      case 'additionalProperties':
        if (asked !== false) return asked === true || isDeepStrictEqual(given, asked);
        return !isOpen && Object.keys(inner.properties).every((each) => each in outer.properties);
      default:
        return isDeepStrictEqual(given, asked);
    }
  });
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
    'what fits this branch fits another one too, and oneOf takes what fits one alone: write anyOf, or require in the other what only that one has',
    ({ oneOf = [] }: Json, _place, contract) => {
      const wholes: Json[] = oneOf.map((branch: Json) => wholeOf(branch, contract));
      const isTaken = (one: Json, index: number) =>
        wholes.some(
          (other, at) => at !== index && isWithin(one, other) && (at < index || !isWithin(other, one)),
        );
      return wholes.flatMap((one, index) => (isTaken(one, index) ? [['oneOf', index]] : []));
    },
    'oneOf:\n  - { type: object, properties: { a: { type: string } } }\n  - { type: object, required: [b], properties: { b: { type: string } } } # here',
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
