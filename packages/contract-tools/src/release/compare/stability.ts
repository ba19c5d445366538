import { nameOf } from '../../operations.ts';
import { placeOf, sharedOperations, type Comparison } from '../change.ts';

/** From the loosest promise to the firmest: an operation without a marker is stable. */
const RANKS = ['experimental', 'beta', 'stable'];

/** An operation may become firmer, but what is stable may not become an experiment. */
export const compareStability: Comparison = function* (pair) {
  for (const { before, after } of sharedOperations(pair)) {
    const [from = 'stable', to = 'stable'] = [
      before.definition['x-stability'],
      after.definition['x-stability'],
    ];
    if (from === to) continue;
    yield {
      impact: RANKS.indexOf(to) < RANKS.indexOf(from) ? 'major' : 'minor',
      subject: nameOf(after),
      what: `is ${to}, and was ${from}`,
      place: placeOf(pair, 'revision', [...after.pointer, 'x-stability']),
    };
  }
};
