import { COMPOSITIONS, propertiesOf } from '@petstore/contract/schema-view';
import type { Json } from '../contract.ts';
import { leadsTo } from '../schema-graph.ts';
import { fieldOf, isInherited, named, repeated, typesOf, where, type Mistake } from './feature.ts';
import { composing } from './features/schemas/composition.ts';
import { FLAGS } from './features/schemas/strings.ts';
import { fits } from './fits.ts';
import type { Place } from './walk.ts';

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** The schema that a part of an `allOf` is a part of. */
function wholeOf(place: Place): Json {
  return place.parent && fieldOf(place) === 'allOf' ? wholeOf(place.parent) : place.value;
}

/** What is wrong with a schema, whether or not it is supported. */
export const schemaMistakes: readonly Mistake[] = [
  {
    message: 'the schema leads back to itself, and says nothing of a value: break the circle with a property',
    on: 'Schema',
    find: (schema, _place, { contract }) =>
      COMPOSITIONS.filter((keyword) =>
        leadsTo(contract, schema[keyword] ?? [], (each) => each === schema, composing),
      ).map((keyword) => [keyword]),
    example: 'allOf: [{ $ref: "#/components/schemas/Example" }] # here',
  },
  {
    message: 'required names a property that the schema does not have',
    on: 'Schema',
    find: (schema, place, { contract }) => {
      const known = propertiesOf(contract.resolve(wholeOf(place)), contract);
      return (schema.required ?? []).flatMap((name: string, index: number) =>
        Object.hasOwn(known, name) ? [] : [['required', index]],
      );
    },
    example: 'type: object\nrequired:\n  - nam # here\nproperties: { name: { type: string } }',
  },
  {
    message: 'the default does not fit the schema',
    on: 'Schema',
    find: where(
      (schema, { contract }) => 'default' in schema && !fits(contract, schema, schema.default),
      'default',
    ),
    example:
      'type: object\nproperties:\n  count:\n    type: integer\n    maximum: 100\n    default: 500 # here',
  },
  ...['type: string\nenum:', 'type: object\nproperties: { small: { type: string } }\nrequired:'].map(
    (list): Mistake => ({
      message: 'the value is there twice',
      on: 'Schema',
      find: repeated(list.includes('enum') ? 'enum' : 'required', (value) => JSON.stringify(value)),
      example: `${list}\n  - small\n  - small # here`,
    }),
  ),
  {
    message: 'every object of JavaScript has something of this name: choose another',
    on: 'Schema',
    find: named(isInherited, 'properties'),
    example: 'type: object\nproperties:\n  __proto__: { type: string } # here',
  },
  ...['allOf', 'oneOf', 'anyOf', 'enum'].map((list): Mistake => ({
    message: `${list} needs an item`,
    on: 'Schema',
    find: where((schema) => schema[list]?.length === 0, list),
    example: `${list === 'enum' ? 'type: string\n' : ''}${list}: [] # here`,
  })),
  {
    message: 'the value does not fit the rest of the schema',
    on: 'Schema',
    find: ({ enum: values = [], ...schema }, _place, { contract }) =>
      typesOf(schema).length === 1
        ? values.flatMap((value: Json, index: number) =>
            fits(contract, schema, value) ? [] : [['enum', index]],
          )
        : [],
    example: 'type: integer\nenum:\n  - 1\n  - two # here',
  },
  {
    message: 'the value does not fit the rest of the schema',
    on: 'Schema',
    find: where(
      ({ const: value, ...schema }, { contract }) =>
        value !== undefined && 'type' in schema && !fits(contract, schema, value),
      'const',
    ),
    example: 'type: integer\nconst: two # here',
  },
  {
    message: "the type allows null, but enum does not: add null to it, or leave 'null' out",
    on: 'Schema',
    find: where(
      ({ type, enum: values }) => values && [type].flat().includes('null') && !values.includes(null),
      'enum',
    ),
    example: "type: [string, 'null']\nenum: [small, large] # here",
  },
  {
    message: 'the pattern is not a regular expression (of JavaScript, with the flag u)',
    on: 'Schema',
    find: where(
      ({ pattern }) => pattern !== undefined && !FLAGS.test(pattern) && !isPattern(pattern),
      'pattern',
    ),
    example: "type: string\npattern: '[a-' # here",
  },
  {
    message: 'a property cannot be readOnly and writeOnly: nobody could ever see it',
    on: 'Schema',
    find: where(({ readOnly, writeOnly }) => readOnly && writeOnly, 'writeOnly'),
    example:
      'type: object\nproperties:\n  id:\n    type: integer\n    readOnly: true\n    writeOnly: true # here',
  },
];
