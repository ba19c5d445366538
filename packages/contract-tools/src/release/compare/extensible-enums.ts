import type { Json } from '../../contract.ts';
import { placeOf, type Comparison, type Pair } from '../change.ts';

const ENUM = 'x-extensible-enum';

/** The values of an open list: clients must take new ones, and may count on the old ones. */
export const compareExtensibleEnums: Comparison = function* (pair) {
  const [removedCodes, addedCodes] = codesThatChange(pair);
  for (const [pointer, schema] of openListsIn(pair.base.document, [])) {
    const now = pointer.reduce((node, step) => node?.[step], pair.revision.document);
    // A schema that is gone is reported as such.
    if (now === undefined) continue;
    const before: string[] = schema[ENUM];
    const after: string[] = now[ENUM] ?? now.enum ?? [];
    const subject = pointer
      .join('.')
      .replace(/^components\.schemas\./, '')
      .replaceAll('.properties.', '.');
    for (const value of before) {
      if (after.includes(value) || removedCodes.has(value)) continue;
      const place = placeOf(pair, 'base', [...pointer, ENUM]);
      yield { impact: 'major', subject, what: `no longer has the value ${value}`, place };
    }
    for (const value of after) {
      if (before.includes(value) || addedCodes.has(value)) continue;
      const place = placeOf(pair, 'revision', [...pointer, ENUM]);
      yield { impact: 'minor', subject, what: `may have the new value ${value}`, place };
    }
  }
};

/** Error codes stand in an open list as well: those that come and go are reported as error codes. */
function codesThatChange({ base, revision }: Pair): [removed: Set<string>, added: Set<string>] {
  const [before, after] = [base, revision].map(({ document }) => document['x-error-codes'] ?? {});
  const without = (codes: Json, others: Json) =>
    new Set(Object.keys(codes).filter((code) => !(code in others)));
  return [without(before, after), without(after, before)];
}

function* openListsIn(node: Json, pointer: readonly string[]): Iterable<[readonly string[], Json]> {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node[ENUM])) yield [pointer, node];
  for (const [key, child] of Object.entries(node)) yield* openListsIn(child, [...pointer, key]);
}
