import { entriesOf, matchedIn, placeOf, type Comparison } from '../change.ts';
import { impactOfLoss } from './names.ts';

const CODES = 'x-error-codes';

/** Clients decide by code and status: both stay. A new code is no surprise, because the list is open. */
export const compareErrorCodes: Comparison = function* (pair) {
  for (const { name: code, before, after } of matchedIn(pair, ({ document }) => entriesOf(document[CODES]))) {
    const subject = `error code ${code}`;
    const at = (...steps: string[]) => placeOf(pair, after ? 'revision' : 'base', [CODES, code, ...steps]);
    if (!after) {
      const impact = impactOfLoss(pair, ({ responses }) =>
        responses.some(({ definition }) => definition?.[CODES]?.includes(code)),
      );
      yield { impact, subject, what: 'is gone', place: at() };
    } else if (!before) {
      yield { impact: 'minor', subject, what: `is new, with ${after.status}`, place: at() };
    } else {
      if (before.status !== after.status) {
        const what = `comes with ${after.status} instead of ${before.status}`;
        yield { impact: 'major', subject, what, place: at('status') };
      }
      if (before.description !== after.description)
        yield { impact: 'patch', subject, what: 'is described in other words', place: at('description') };
    }
  }
};
