import { COMPOSITIONS, propertiesOf } from '@petstore/contract/schema-view';
import type { Json } from '../contract.ts';
import { leadsTo } from '../schema-graph.ts';
import { fieldOf, isInherited, items, named, on, repeated, typesOf, where, type Row } from './row.ts';
import { composing } from './features/schemas/composition.ts';
import { FLAGS } from './features/schemas/strings.ts';
import { fits } from './fits.ts';
import type { Place } from './walk.ts';

const { mistake } = on('Schema');

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
export const schemaMistakes: readonly Row[] = [
  mistake(
    'the schema leads back to itself, and says nothing of a value: break the circle with a property',
    (schema, _place, contract) =>
      COMPOSITIONS.filter((keyword) =>
        leadsTo(contract, schema[keyword] ?? [], (each) => each === schema, composing),
      ).map((keyword) => [keyword]),
    'allOf: [{ $ref: "#/components/schemas/Example" }] # here',
  ),
  mistake(
    'required names a property that the schema does not have',
    items(
      'required',
      (name, _schema, contract, place) =>
        !Object.hasOwn(propertiesOf(contract.resolve(wholeOf(place)), contract), name),
    ),
    'type: object\nrequired:\n  - nam # here\nproperties: { name: { type: string } }',
  ),
  mistake(
    'the default does not fit the schema',
    where((schema, contract) => 'default' in schema && !fits(contract, schema, schema.default), 'default'),
    'type: object\nproperties:\n  count:\n    type: integer\n    maximum: 100\n    default: 500 # here',
  ),
  ...['type: string\nenum:', 'type: object\nproperties: { small: { type: string } }\nrequired:'].map(
    (list): Row =>
      mistake(
        'the value is there twice',
        repeated(list.includes('enum') ? 'enum' : 'required', (value) => JSON.stringify(value)),
        `${list}\n  - small\n  - small # here`,
      ),
  ),
  mistake(
    'every object of JavaScript has something of this name: choose another',
    named(isInherited, 'properties'),
    'type: object\nproperties:\n  __proto__: { type: string } # here',
  ),
  ...['allOf', 'oneOf', 'anyOf', 'enum'].map((list): Row =>
    mistake(
      `${list} needs an item`,
      where((schema) => schema[list]?.length === 0, list),
      `${list === 'enum' ? 'type: string\n' : ''}${list}: [] # here`,
    ),
  ),
  mistake(
    'the value does not fit the rest of the schema',
    // The rest is one object for all values, because it is compiled once.
    ({ enum: values = [], ...rest }, _place, contract) =>
      typesOf(rest).length === 1
        ? values.flatMap((value: Json, at: number) => (fits(contract, rest, value) ? [] : [['enum', at]]))
        : [],
    'type: integer\nenum:\n  - 1\n  - two # here',
  ),
  mistake(
    'the value does not fit the rest of the schema',
    where(
      ({ const: value, ...schema }, contract) =>
        value !== undefined && 'type' in schema && !fits(contract, schema, value),
      'const',
    ),
    'type: integer\nconst: two # here',
  ),
  mistake(
    "the type allows null, but enum does not: add null to it, or leave 'null' out",
    where(
      ({ type, enum: values }) => values && [type].flat().includes('null') && !values.includes(null),
      'enum',
    ),
    "type: [string, 'null']\nenum: [small, large] # here",
  ),
  mistake(
    'the mapping leads to no schema of the oneOf: write all of its $ref',
    named(
      (_tag, target, { value: { oneOf } }) => oneOf && !oneOf.some(({ $ref }: Json) => $ref === target),
      'discriminator',
      'mapping',
    ),
    'oneOf: [{ $ref: "#/components/schemas/Tagged" }]\ndiscriminator:\n  propertyName: kind\n  mapping:\n    Tagged: Tagged # here',
  ),
  mistake(
    'the pattern is not a regular expression (of JavaScript, with the flag u)',
    where(({ pattern }) => pattern !== undefined && !FLAGS.test(pattern) && !isPattern(pattern), 'pattern'),
    "type: string\npattern: '[a-' # here",
  ),
  mistake(
    'a property cannot be readOnly and writeOnly: nobody could ever see it',
    where(({ readOnly, writeOnly }) => readOnly && writeOnly, 'writeOnly'),
    'type: object\nproperties:\n  id:\n    type: integer\n    readOnly: true\n    writeOnly: true # here',
  ),
];
