import { spawnSync } from 'node:child_process';
import { eachName, mistake, refused, when } from '../rule.ts';

/** Of a regular expression: around it, before it, or for a part of it. */
const FLAGS = /^\/.*\/[a-z]*$|\(\?[a-z-]+[:)]/;

export const schemaFeatures = [
  refused('Schema', {
    feature:
      'patterns that a text can keep busy for seconds (`^(a+)+$`, `.*a.*` without a `maxLength` of at most 1,000)',
    find: when(({ pattern, maxLength }) => pattern !== undefined && isSlow(pattern, maxLength), 'pattern'),
    example: 'type: string\npattern: ^([a-z0-9]+[-_]?)+$ # here',
    advice: 'write it so that one text can be matched in one way only, with ^ and $ around it',
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

/** Prints what recheck finds of the pattern it is given: in a process of its own, which can be stopped. */
const JUDGE = `const { checkSync } = require('recheck/lib/browser.js');
const { status, complexity } = checkSync(process.argv[1], '', { timeout: 1000 });
console.log(status === 'vulnerable' ? complexity.type : status);`;

const judged = new Map<string, string>();

/** Whether a text of the allowed length can keep the pattern busy: backtracking takes exponential or polynomial time. */
function isSlow(pattern: string, maxLength = Infinity): boolean {
  if (!isPattern(pattern) || isLinear(pattern)) return false;
  const found = judged.get(pattern) ?? judge(pattern);
  judged.set(pattern, found);
  return found === 'exponential' || (found === 'polynomial' && maxLength > 1_000);
}

function judge(pattern: string): string {
  const options = { cwd: import.meta.dirname, encoding: 'utf8', timeout: 5_000 } as const;
  return spawnSync(process.execPath, ['--eval', JUDGE, '--', pattern], options).stdout.trim();
}

/** What needs no search: without repetition, or one set of characters repeated between both ends. */
function isLinear(pattern: string): boolean {
  return !/[*+]|\{\d+,/.test(pattern) || /^\^[^()|*+?{}]*(\[[^\]]*\]|\\?.)[*+]\$$/.test(pattern);
}
