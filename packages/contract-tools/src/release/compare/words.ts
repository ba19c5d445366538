import { isDeepStrictEqual } from 'node:util';
import type { Json, Pointer } from '../../contract.ts';
import {
  changeAt,
  placeOf,
  valueAt,
  type Change,
  type Comparison,
  type Impact,
  type Pair,
} from '../change.ts';

/** A thing that both contracts have, and where it is in each. */
export interface Both {
  readonly before: Located;
  readonly after: Located;
}

export interface Located {
  readonly value: Json;
  readonly pointer: Pointer;
  /** Of what several parts of an `allOf` say, in place of `pointer`: what each says, where it is written. */
  readonly parts?: readonly Located[];
}

/** The names in `before` or `after` whose values differ. */
export function differing(before: Json, after: Json): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.filter((name) => !isDeepStrictEqual(before?.[name], after?.[name]));
}

/**
 * What is said of a thing without being asked of anybody: all but the `known` keys, which are compared as what they
 * mean. Examples are no part of a contract: they show what it says elsewhere.
 */
export function* compareWords(
  pair: Pair,
  { before, after }: Both,
  known: readonly string[],
): Iterable<Change> {
  for (const name of differing(before.value, after.value)) {
    if ([...known, 'example', 'examples'].includes(name)) continue;
    // To announce an end is more than to reword a description.
    const impact: Impact = name === 'deprecated' ? 'minor' : 'patch';
    const what = modification(name, before.value?.[name], after.value?.[name]);
    yield changeOf(pair, { before, after }, name, impact, what);
  }
}

/** The change of what a thing says under `name`: where it is now, or where it was if it is gone. */
export function changeOf(
  pair: Pair,
  { before, after }: Both,
  name: string,
  impact: Impact,
  what: string,
): Change {
  return after.value?.[name] === undefined
    ? changeAt(pair, 'base', [...before.pointer, name], impact, what)
    : changeAt(pair, 'revision', [...after.pointer, name], impact, what);
}

/** `name changes from this to that`, as far as it fits into a line. */
export function modification(name: string, before: Json, after: Json): string {
  const [from, to] = [before, after].map(shown);
  if (before === undefined) return to === undefined ? `gets ${name}` : `gets ${name}: ${to}`;
  if (after === undefined) return from === undefined ? `loses ${name}` : `loses ${name}: ${from}`;
  return from === undefined || to === undefined ? `${name} changes` : `${name} changes from ${from} to ${to}`;
}

function shown(value: Json): string | undefined {
  const text = JSON.stringify(value);
  return text !== undefined && text.length <= 40 ? text : undefined;
}

/** What has comparisons of its own. */
const COMPARED = [
  'info',
  'servers',
  'security',
  'paths',
  'components',
  'x-rate-limit-plans',
  'x-error-codes',
];

/** What the document says of itself. */
export const compareDescription: Comparison = function* (pair) {
  const [before, after] = [pair.base.document, pair.revision.document];
  const found = [
    ...differing(before, after).filter((name) => !COMPARED.includes(name)),
    ...differing(before.info, after.info).filter((name) => name !== 'version'),
  ];
  for (const name of found) {
    const path = name in before || name in after ? [name] : ['info', name];
    const [from, to] = [valueAt(before, path), valueAt(after, path)];
    yield {
      impact: 'patch',
      subject: 'the description of the API',
      what: modification(name, from, to),
      place: placeOf(pair, to === undefined ? 'base' : 'revision', path),
    };
  }
};
