import { isPattern, quickLengthOf } from '../../read/slow-pattern.ts';
import { anyOf, eachName, mistake, refused, when } from '../rule.ts';

/** Flags of a regular expression: around it, before it, or for a part of it. */
const FLAGS = /^\/.*\/[a-z]*$|\(\?[a-z-]+[:)]/;

export const schemaRules = [
  refused('Schema', {
    feature: 'patterns with a lookaround or a backreference that take exponential time (`^(a+)+(?<!b)$`)',
    find: anyOf(
      when(({ pattern }) => pattern !== undefined && quickLengthOf(pattern) === 0, 'pattern'),
      eachName((pattern) => quickLengthOf(pattern) === 0, 'patternProperties'),
    ),
    example: 'type: string\npattern: ^(a+)+(?<!b)$ # here',
    advice: 'write it without these, or without a repetition in a repetition',
  }),
  refused('Schema', {
    feature: 'flags of a pattern (`/abc/i`, `(?i)`, `(?i:…)`)',
    find: when(({ pattern }) => FLAGS.test(pattern), 'pattern'),
    example: 'type: string\npattern: (?i)abc # here',
    advice: 'write both cases, such as [Aa][Bb]',
  }),
  refused('Schema', {
    feature: 'schemas with an `$id`, an `$anchor` or a `$dynamicRef`',
    find: (schema) =>
      ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor']
        .filter((name) => name in schema)
        .map((name) => [name]),
    example: '$id: https://library.example/loan # here',
    advice: 'refer to components by their names',
  }),
  mistake('Schema', {
    message: 'the list needs an item: add one, or leave the name out',
    find: (schema) =>
      ['allOf', 'oneOf', 'anyOf', 'enum'].filter((list) => schema[list]?.length === 0).map((list) => [list]),
    example: 'oneOf: [] # here',
  }),
  mistake('Schema', {
    message: 'in JavaScript an assignment to __proto__ does not add a property: choose another name',
    find: eachName((name) => name === '__proto__', 'properties'),
    example: 'type: object\nproperties:\n  __proto__: { type: string } # here',
  }),
  mistake('Schema', {
    message: 'the pattern is not a regular expression in JavaScript: write it as ECMA-262 has it',
    find: anyOf(
      when(({ pattern }) => pattern !== undefined && !FLAGS.test(pattern) && !isPattern(pattern), 'pattern'),
      eachName((pattern) => !isPattern(pattern), 'patternProperties'),
    ),
    example: "type: string\npattern: '[a-' # here",
  }),
];
