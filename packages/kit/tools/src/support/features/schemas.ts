import { named, on, where } from '../row.ts';

const { refused, mistake } = on('Schema');

/** Of a regular expression: around it, before it, or for a part of it. */
const FLAGS = /^\/.*\/[a-z]*$|\(\?[a-z-]+[:)]/;

export const schemaFeatures = [
  refused(
    'flags of a pattern (`/abc/i`, `(?i)`, `(?i:…)`)',
    where(({ pattern }) => FLAGS.test(pattern), 'pattern'),
    'type: string\npattern: (?i)abc # here',
    'write both cases, such as [Aa][Bb]',
  ),
  refused(
    'schemas with an `$id`, an `$anchor` or a `$dynamicRef`',
    (schema) =>
      ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor']
        .filter((name) => name in schema)
        .map((name) => [name]),
    '$id: https://library.example/loan # here',
    'refer to components by their names',
  ),
];

export const schemaMistakes = [
  mistake(
    'the list needs an item',
    (schema) =>
      ['allOf', 'oneOf', 'anyOf', 'enum'].filter((list) => schema[list]?.length === 0).map((list) => [list]),
    'oneOf: [] # here',
  ),
  mistake(
    'every object of JavaScript has something of this name: choose another',
    named((name) => name === '__proto__', 'properties'),
    'type: object\nproperties:\n  __proto__: { type: string } # here',
  ),
  mistake(
    'the pattern is not a regular expression of JavaScript',
    where(({ pattern }) => pattern !== undefined && !FLAGS.test(pattern) && !isPattern(pattern), 'pattern'),
    "type: string\npattern: '[a-' # here",
  ),
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
