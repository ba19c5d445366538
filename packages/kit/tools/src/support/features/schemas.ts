import { regularExpression } from '@kit/contract/pattern';
import { analyse } from 'scslre';
import { hasAmbiguousLoop } from '../ambiguous-loop.ts';
import { eachName, mistake, refused, when } from '../rule.ts';

/** Flags of a regular expression: around it, before it, or for a part of it. */
const FLAGS = /^\/.*\/[a-z]*$|\(\?[a-z-]+[:)]/;

export const schemaRules = [
  refused('Schema', {
    feature: 'patterns that a short text can keep busy for seconds (`^(a+)+$`)',
    find: when(({ pattern }) => pattern !== undefined && isExponential(pattern), 'pattern'),
    example: 'type: string\npattern: ^([a-z0-9]+[-_]?)+$ # here',
    advice: 'write it so that a text can match in only one way',
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
    message: 'the list needs an item',
    find: (schema) =>
      ['allOf', 'oneOf', 'anyOf', 'enum'].filter((list) => schema[list]?.length === 0).map((list) => [list]),
    example: 'oneOf: [] # here',
  }),
  mistake('Schema', {
    message: 'every JavaScript object has a member with this name: choose another',
    find: eachName((name) => name === '__proto__', 'properties'),
    example: 'type: object\nproperties:\n  __proto__: { type: string } # here',
  }),
  mistake('Schema', {
    message: 'the pattern is not a regular expression in JavaScript',
    find: when(
      ({ pattern }) => pattern !== undefined && !FLAGS.test(pattern) && !isPattern(pattern),
      'pattern',
    ),
    example: "type: string\npattern: '[a-' # here",
  }),
];

function isPattern(pattern: string): boolean {
  try {
    return regularExpression(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Whether the time that a text takes may double with each of its characters. */
function isExponential(pattern: string): boolean {
  if (!isPattern(pattern)) return false;
  const shape = regularExpression(pattern);
  return analyse(shape).reports.some(({ exponential }) => exponential) || hasAmbiguousLoop(shape);
}
