import type { Json } from '../../contract.ts';
import { entriesOf, matchedIn, placeOf, type Comparison, type Impact } from '../change.ts';

const PLANS = 'x-rate-limit-plans';
const QUOTAS = { perMinute: 'requests per minute', perDay: 'requests per day' } as const;

/** A plan is what a customer has bought: no part of it may shrink within a major version. */
export const comparePlans: Comparison = function* (pair) {
  for (const { name: id, before, after } of matchedIn(pair, ({ document }) => entriesOf(document[PLANS]))) {
    const subject = `plan ${id}`;
    const at = (...steps: string[]) => placeOf(pair, after ? 'revision' : 'base', [PLANS, id, ...steps]);
    if (!after) {
      yield { impact: 'major', subject, what: 'is gone', place: at() };
    } else if (!before) {
      const what = `is new: ${after.perMinute} ${QUOTAS.perMinute}, ${after.perDay} ${QUOTAS.perDay}`;
      yield { impact: 'minor', subject, what, place: at() };
    } else {
      for (const [key, quota] of Object.entries(QUOTAS)) {
        const [from, to] = [before[key], after[key]];
        const what = `${quota} ${verb(from, to)} from ${from} to ${to}`;
        if (from !== to) yield { impact: quotaImpact(from, to), subject, what, place: at(key) };
      }
      if (before.name !== after.name)
        yield { impact: 'patch', subject, what: `is now called ${after.name}`, place: at('name') };
    }
  }
};

/** To or from `custom`, an agreed number is replaced by another that may be lower. */
function quotaImpact(from: Json, to: Json): Impact {
  return typeof from === 'number' && typeof to === 'number' && to > from ? 'minor' : 'major';
}

function verb(from: Json, to: Json): string {
  if (typeof from !== 'number' || typeof to !== 'number') return 'change';
  return to < from ? 'fall' : 'rise';
}
