import { eachName, mistake, refused, when } from '../rule.ts';

/** Of a regular expression: around it, before it, or for a part of it. */
const FLAGS = /^\/.*\/[a-z]*$|\(\?[a-z-]+[:)]/;

export const schemaFeatures = [
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
];

export const schemaMistakes = [
  mistake('Schema', {
    message: 'the list needs an item',
    find: (schema) =>
      ['allOf', 'oneOf', 'anyOf', 'enum'].filter((list) => schema[list]?.length === 0).map((list) => [list]),
    example: 'oneOf: [] # here',
  }),
  mistake('Schema', {
    message: 'every object of JavaScript has something of this name: choose another',
    find: eachName((name) => name === '__proto__', 'properties'),
    example: 'type: object\nproperties:\n  __proto__: { type: string } # here',
  }),
  mistake('Schema', {
    message: 'the pattern is not a regular expression of JavaScript',
    find: when(
      ({ pattern }) => pattern !== undefined && !FLAGS.test(pattern) && !isPattern(pattern),
      'pattern',
    ),
    example: "type: string\npattern: '[a-' # here",
  }),
];

function isPattern(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}
