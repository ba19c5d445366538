import type { Json } from '../../contract.ts';
import { placeOf, type Comparison, type Impact } from '../change.ts';

const PLANS = 'x-rate-limit-plans';
const QUOTAS = { perMinute: 'requests per minute', perDay: 'requests per day' } as const;

/** A plan is what a customer has bought: no part of it may shrink within a major version. */
export const comparePlans: Comparison = function* (pair) {
  const before: Record<string, Json> = pair.base.document[PLANS] ?? {};
  const after: Record<string, Json> = pair.revision.document[PLANS] ?? {};
  for (const [id, plan] of Object.entries(before)) {
    const subject = `plan ${id}`;
    if (!(id in after)) {
      yield { impact: 'major', subject, what: 'is gone', place: placeOf(pair, 'base', [PLANS, id]) };
      continue;
    }
    const at = (key: string) => placeOf(pair, 'revision', [PLANS, id, key]);
    for (const [key, quota] of Object.entries(QUOTAS)) {
      const [from, to] = [plan[key], after[id][key]];
      const what = `${quota} ${verb(from, to)} from ${from} to ${to}`;
      if (from !== to) yield { impact: quotaImpact(from, to), subject, what, place: at(key) };
    }
    if (plan.name !== after[id].name) {
      yield { impact: 'patch', subject, what: `is now called ${after[id].name}`, place: at('name') };
    }
  }
  for (const [id, { perMinute, perDay }] of Object.entries(after)) {
    if (id in before) continue;
    const what = `is new: ${perMinute} ${QUOTAS.perMinute}, ${perDay} ${QUOTAS.perDay}`;
    yield { impact: 'minor', subject: `plan ${id}`, what, place: placeOf(pair, 'revision', [PLANS, id]) };
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
