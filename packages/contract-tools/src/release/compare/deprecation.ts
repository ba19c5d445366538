import { nameOf, placeOf, sharedOperations, type Change, type Comparison, type Impact } from '../change.ts';

const SINCE = 'x-deprecated-since';
const SUNSET = 'x-deprecated-sunset';

/** Until its sunset date an operation can be counted on: the date may move away, but not closer. */
export const compareDeprecation: Comparison = function* (pair) {
  for (const { before, after } of sharedOperations(pair)) {
    const [from, to] = [before.definition, after.definition];
    const change = (impact: Impact, key: string, what: string): Change => {
      return {
        impact,
        subject: nameOf(after),
        what,
        place: placeOf(pair, 'revision', [...after.pointer, key]),
      };
    };
    if (!from.deprecated && to.deprecated) {
      yield change('minor', 'deprecated', `is deprecated, and goes away on ${to[SUNSET]}`);
    } else if (from.deprecated && !to.deprecated) {
      yield change('minor', 'deprecated', 'is no longer deprecated');
    } else if (to.deprecated) {
      if (from[SUNSET] !== to[SUNSET]) {
        const [impact, what] = sunsetMove(from[SUNSET], to[SUNSET]);
        yield change(impact, SUNSET, what);
      }
      if (from[SINCE] !== to[SINCE]) {
        yield change('patch', SINCE, `is deprecated since ${to[SINCE]} instead of ${from[SINCE]}`);
      }
    }
  }
};

function sunsetMove(from: string | undefined, to: string | undefined): [Impact, string] {
  if (to === undefined) return ['major', `may go away at any time, and was to stay until ${from}`];
  if (from === undefined) return ['minor', `goes away on ${to}`];
  if (to < from) return ['major', `goes away on ${to}, earlier than ${from}`];
  return ['patch', `stays until ${to}, longer than ${from}`];
}
