import type { Json } from '../../contract.ts';
import { placeOf, type Comparison } from '../change.ts';
import { impactOfLoss } from './names.ts';

const CODES = 'x-error-codes';

/** Clients decide by code and status: both stay. A new code is no surprise, because the list is open. */
export const compareErrorCodes: Comparison = function* (pair) {
  const before: Record<string, Json> = pair.base.document[CODES] ?? {};
  const after: Record<string, Json> = pair.revision.document[CODES] ?? {};
  for (const [code, { status, description }] of Object.entries(before)) {
    const subject = `error code ${code}`;
    if (!(code in after)) {
      const impact = impactOfLoss(pair, ({ responses }) =>
        responses.some(({ definition }) => definition?.[CODES]?.includes(code)),
      );
      yield { impact, subject, what: 'is gone', place: placeOf(pair, 'base', [CODES, code]) };
      continue;
    }
    const at = (key: string) => placeOf(pair, 'revision', [CODES, code, key]);
    if (status !== after[code].status) {
      const what = `comes with ${after[code].status} instead of ${status}`;
      yield { impact: 'major', subject, what, place: at('status') };
    }
    if (description !== after[code].description) {
      yield { impact: 'patch', subject, what: 'is described in other words', place: at('description') };
    }
  }
  for (const [code, { status }] of Object.entries(after)) {
    if (code in before) continue;
    const place = placeOf(pair, 'revision', [CODES, code]);
    yield { impact: 'minor', subject: `error code ${code}`, what: `is new, with ${status}`, place };
  }
};
