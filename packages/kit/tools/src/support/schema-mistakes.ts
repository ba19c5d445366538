import { COMPOSITIONS } from '@kit/contract/schema-view';
import type { Json } from '../source-document.ts';
import { leadsTo } from '../schema-graph.ts';
import { isInherited, mistake, eachName, when, type Rule } from './rule.ts';
import { composing } from './features/schemas/composition.ts';
import { FLAGS } from './features/schemas/strings.ts';
import { isValid } from './violation.ts';

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** What is wrong with a schema, whether or not it is supported: no value could be checked as the schema says. */
export const schemaMistakes: readonly Rule[] = [
  mistake('Schema', {
    message: 'the schema leads back to itself, and says nothing of a value: break the circle with a property',
    find: (schema, { contract }) =>
      COMPOSITIONS.filter((keyword) =>
        leadsTo(contract, schema[keyword] ?? [], (each) => each === schema, composing),
      ).map((keyword) => [keyword]),
    example: 'allOf: [{ $ref: "#/components/schemas/Example" }] # here',
  }),
  mistake('Schema', {
    message: 'the default does not fit the schema',
    find: when(
      (schema, { contract }) => 'default' in schema && !isValid(contract, schema, schema.default),
      'default',
    ),
    example:
      'type: object\nproperties:\n  count:\n    type: integer\n    maximum: 100\n    default: 500 # here',
  }),
  mistake('Schema', {
    message: 'every object of JavaScript has something of this name: choose another',
    find: eachName(isInherited, 'properties'),
    example: 'type: object\nproperties:\n  __proto__: { type: string } # here',
  }),
  mistake('Schema', {
    message: 'the list needs an item',
    find: (schema) =>
      [...COMPOSITIONS, 'enum'].filter((list) => schema[list]?.length === 0).map((list) => [list]),
    example: 'oneOf: [] # here',
  }),
  mistake('Schema', {
    message: 'the mapping leads to no schema of the oneOf: write all of its $ref',
    find: eachName(
      (
        _tag,
        target,
        {
          node: {
            value: { oneOf },
          },
        },
      ) => oneOf && !oneOf.some(({ $ref }: Json) => $ref === target),
      'discriminator',
      'mapping',
    ),
    example:
      'oneOf: [{ $ref: "#/components/schemas/Tagged" }]\ndiscriminator:\n  propertyName: kind\n  mapping:\n    Tagged: Tagged # here',
  }),
  mistake('Schema', {
    message: 'the pattern is not a regular expression (of JavaScript, with the flag u)',
    find: when(
      ({ pattern }) => pattern !== undefined && !FLAGS.test(pattern) && !isPattern(pattern),
      'pattern',
    ),
    example: "type: string\npattern: '[a-' # here",
  }),
];
