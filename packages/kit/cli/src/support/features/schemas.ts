import { COMPOSITIONS, endlessIn, isDefaultUnknown } from '@contract-kit/core/model';
import { isPattern, quickLengthOf } from '@contract-kit/core/openapi';
import { all, eachName, invalid, unsupported, when } from '../rule.ts';

/** Flags of a regular expression: around it, before it, or for a part of it. */
const FLAGS = /^\/.*\/[a-z]*$|\(\?[a-z-]+[:)]/;

export const schemaRules = [
  unsupported('Schema', {
    feature: 'patterns with a lookaround or a backreference that take exponential time (`^(a+)+(?<!b)$`)',
    find: all(
      when(({ pattern }) => pattern !== undefined && quickLengthOf(pattern) === 0, 'pattern'),
      eachName((pattern) => quickLengthOf(pattern) === 0, 'patternProperties'),
    ),
    example: 'type: string\npattern: ^(a+)+(?<!b)$ # here',
    advice: 'write it without these, or without a repetition in a repetition',
  }),
  unsupported('Schema', {
    feature: 'flags of a pattern (`/abc/i`, `(?i)`, `(?i:…)`)',
    find: when(({ pattern }) => FLAGS.test(pattern), 'pattern'),
    example: 'type: string\npattern: (?i)abc # here',
    advice: 'write both cases, such as [Aa][Bb]',
  }),
  invalid('Components', {
    message:
      'the schema is a part of itself (allOf, anyOf, oneOf or not leads back to it), so no value could ever be checked: refer to it in a property or in items, or leave the reference out',
    find: (_components, { contract }) => [...endlessIn(contract.schemas)].map((name) => ['schemas', name]),
    example: "schemas:\n  Loan: # here\n    allOf: [{ $ref: '#/components/schemas/Loan' }]",
  }),
  invalid('Schema', {
    message: 'the list needs an item: add one, or leave the name out',
    find: (schema) =>
      [...COMPOSITIONS, 'enum'].filter((list) => schema[list]?.length === 0).map((list) => [list]),
    example: 'enum: [] # here',
  }),
  invalid('Schema', {
    message: 'in JavaScript an assignment to __proto__ does not add a property: choose another name',
    find: eachName((name) => name === '__proto__', 'properties'),
    example: 'type: object\nproperties:\n  __proto__: { type: string } # here',
  }),
  invalid('Schema', {
    message: 'the pattern is not a regular expression in JavaScript: write it as ECMA-262 has it',
    find: all(
      when(({ pattern }) => pattern !== undefined && !FLAGS.test(pattern) && !isPattern(pattern), 'pattern'),
      eachName((pattern) => !isPattern(pattern), 'patternProperties'),
    ),
    example: "type: string\npattern: '[a-' # here",
  }),
  invalid('Schema', {
    message: 'defaultMapping must name one of the alternatives: an unknown tag would be rejected',
    find: when(isDefaultUnknown, 'discriminator', 'defaultMapping'),
    example:
      "oneOf: [{ $ref: '#/components/schemas/Tagged' }]\ndiscriminator:\n  propertyName: kind\n  defaultMapping: Boat # here",
  }),
];
