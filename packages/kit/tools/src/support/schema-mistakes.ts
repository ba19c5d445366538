import { COMPOSITIONS } from '@kit/contract/schema-view';
import type { Json } from '../source-document.ts';
import { leadsTo } from '../schema-graph.ts';
import { isInherited, named, on, where, type Rule } from './rule.ts';
import { composing } from './features/schemas/composition.ts';
import { FLAGS } from './features/schemas/strings.ts';
import { isValid } from './violation.ts';

const { mistake } = on('Schema');

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** What is wrong with a schema, whether or not it is supported: no value could be checked as the schema says. */
export const schemaMistakes: readonly Rule[] = [
  mistake(
    'the schema leads back to itself, and says nothing of a value: break the circle with a property',
    (schema, _node, contract) =>
      COMPOSITIONS.filter((keyword) =>
        leadsTo(contract, schema[keyword] ?? [], (each) => each === schema, composing),
      ).map((keyword) => [keyword]),
    'allOf: [{ $ref: "#/components/schemas/Example" }] # here',
  ),
  mistake(
    'the default does not fit the schema',
    where((schema, contract) => 'default' in schema && !isValid(contract, schema, schema.default), 'default'),
    'type: object\nproperties:\n  count:\n    type: integer\n    maximum: 100\n    default: 500 # here',
  ),
  mistake(
    'every object of JavaScript has something of this name: choose another',
    named(isInherited, 'properties'),
    'type: object\nproperties:\n  __proto__: { type: string } # here',
  ),
  mistake(
    'the list needs an item',
    (schema) => [...COMPOSITIONS, 'enum'].filter((list) => schema[list]?.length === 0).map((list) => [list]),
    'oneOf: [] # here',
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
];
