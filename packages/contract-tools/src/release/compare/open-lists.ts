import { dereferenced, type Json, type Pointer } from '../../contract.ts';
import { placeOf, type Comparison } from '../change.ts';
import { subjectOf } from './structure-words.ts';

/** The extensions that list what may be there, and what they list. */
export const OPEN_LISTS = { 'x-extensible-enum': 'value', 'x-error-codes': 'code' } as const;

/** This list follows from the error codes, which are compared as such. */
const CODES = 'components/schemas/Error/properties/code';

/** The values of an open list: clients must take new ones, and may count on the old ones. */
export const compareOpenLists: Comparison = function* (pair) {
  for (const [key, pointer, before] of openListsIn(pair.base.document, [])) {
    const written = dereferenced(pair.revision.document, pointer);
    const now = written.reduce((node: Json, step) => node?.[step], pair.revision.document);
    // What is gone as a whole is reported as such.
    if (now === undefined || pointer.join('/') === CODES) continue;
    const after: string[] = now[key] ?? now.enum ?? [];
    const list = [...pointer, key];
    const subject = subjectOf(list, list);
    for (const value of before.filter((each) => !after.includes(each))) {
      const place = placeOf(pair, 'base', list);
      yield { impact: 'major', subject, what: `no longer has the ${OPEN_LISTS[key]} ${value}`, place };
    }
    for (const value of after.filter((each) => !before.includes(each))) {
      const place = placeOf(pair, 'revision', list);
      yield { impact: 'minor', subject, what: `may have the new ${OPEN_LISTS[key]} ${value}`, place };
    }
  }
};

function* openListsIn(
  node: Json,
  pointer: Pointer,
): Iterable<[key: keyof typeof OPEN_LISTS, pointer: Pointer, values: string[]]> {
  if (typeof node !== 'object' || node === null) return;
  for (const key of Object.keys(OPEN_LISTS) as (keyof typeof OPEN_LISTS)[]) {
    if (Array.isArray(node[key])) yield [key, pointer, node[key]];
  }
  for (const [key, child] of Object.entries(node)) yield* openListsIn(child, [...pointer, key]);
}
