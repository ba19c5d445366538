import type { Json } from '../../contract.ts';
import { placeOf, sharedOperations, type Comparison } from '../change.ts';

/** A header that every answer had, clients read without looking whether it is there. */
export const compareResponseHeaders: Comparison = function* (pair) {
  for (const { before, after } of sharedOperations(pair)) {
    for (const response of before.responses) {
      const now = after.responses.find(({ status }) => status === response.status);
      if (now === undefined) continue;
      for (const [name, header] of Object.entries<Json>(response.definition?.headers ?? {})) {
        const kept = pair.revision.resolve(now.definition?.headers?.[name]);
        if (kept === undefined) continue;
        const [from, to] = [pair.base.resolve(header)?.required === true, kept.required === true];
        if (from === to) continue;
        const place = placeOf(pair, 'revision', [...now.pointer, 'headers', name]);
        const subject = `response header ${name}`;
        if (from) yield { impact: 'major', subject, what: 'may now be missing, and was always there', place };
        else yield { impact: 'minor', subject, what: 'is now always there', place };
      }
    }
  }
};
