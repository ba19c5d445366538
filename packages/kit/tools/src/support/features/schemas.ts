import { patternOf, regularExpression } from '@kit/contract/pattern';
import { analyse } from 'scslre';
import { anyOf, eachName, isInherited, mistake, refused, when } from '../rule.ts';

/** Flags of a regular expression: around it, before it, or for a part of it. */
const FLAGS = /^\/.*\/[a-z]*$|\(\?[a-z-]+[:)]/;

export const schemaRules = [
  refused('Schema', {
    feature: 'slow patterns with a lookaround or a backreference (`^(?!a)\\w+\\w+$`)',
    find: anyOf(
      when(({ pattern, maxLength }) => pattern !== undefined && mayTakeLong(pattern, maxLength), 'pattern'),
      eachName((pattern) => mayTakeLong(pattern), 'patternProperties'),
    ),
    example: 'type: string\npattern: ^(?!a)\\w+\\w+$ # here',
    advice: 'anchor it with ^, write it without these, or add a maxLength of at most 100',
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
    // Validators would find the inherited member in every value.
    find: eachName(isInherited, 'properties'),
    example: 'type: object\nproperties:\n  valueOf: { type: string } # here',
  }),
  mistake('Schema', {
    message: 'the pattern is not a regular expression in JavaScript',
    find: anyOf(
      when(({ pattern }) => pattern !== undefined && !FLAGS.test(pattern) && !isPattern(pattern), 'pattern'),
      eachName((pattern) => !isPattern(pattern), 'patternProperties'),
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

/** In quadratic time, a body full of texts of this length takes 10 ms. */
const SHORT = 100;

/** Whether JavaScript has to test it, and may take long for a text of at most `maxLength` characters. */
function mayTakeLong(pattern: string, maxLength = Infinity): boolean {
  if (!isPattern(pattern) || !(patternOf(pattern) instanceof RegExp)) return false;
  const { reports } = analyse(regularExpression(pattern));
  return reports.some(({ exponential }) => exponential || maxLength > SHORT);
}
