import type { Contract, Json } from '../../generator/contract.ts';
import { placeOf, type Comparison } from '../change.ts';

const ENUM = 'x-extensible-enum';

/** The values of an open list: clients must take new ones, and may count on the old ones. */
export const compareExtensibleEnums: Comparison = function* (pair) {
  const after = new Map(enumsOf(pair.revision));
  for (const [key, before] of enumsOf(pair.base)) {
    const now = after.get(key);
    // A schema that is gone is reported as such.
    if (now === undefined) continue;
    const subject = key.replace(/^components\.schemas\./, '').replaceAll('.properties.', '.');
    for (const value of before.values.filter((each) => !now.values.includes(each))) {
      const place = placeOf(pair, 'base', before.pointer);
      yield { impact: 'major', subject, what: `no longer takes the value ${value}`, place };
    }
    for (const value of now.values.filter((each) => !before.values.includes(each))) {
      const place = placeOf(pair, 'revision', now.pointer);
      yield { impact: 'minor', subject, what: `may take the new value ${value}`, place };
    }
  }
};

interface Enum {
  readonly pointer: readonly string[];
  readonly values: readonly string[];
}

/** The open lists of the contract by where they are. Error codes are left out: they have a comparison of their own. */
function* enumsOf({ document }: Contract): Iterable<[string, Enum]> {
  const codes = Object.keys(document['x-error-codes'] ?? {});
  for (const [pointer, node] of objectsIn(document, [])) {
    const values: Json = node[ENUM];
    if (!Array.isArray(values) || values.some((value) => codes.includes(value))) continue;
    yield [pointer.join('.'), { pointer: [...pointer, ENUM], values }];
  }
}

function* objectsIn(node: Json, pointer: readonly string[]): Iterable<[readonly string[], Json]> {
  if (typeof node !== 'object' || node === null) return;
  yield [pointer, node];
  for (const [key, child] of Object.entries(node)) yield* objectsIn(child, [...pointer, key]);
}
