import { nameOf } from '../../operations.ts';
import { placeOf, sharedOperations, type Change, type Comparison, type Impact } from '../change.ts';

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
      const what = to[SUNSET] ? `and goes away on ${to[SUNSET]}` : 'without a day on which it goes away';
      yield questioned(change('minor', 'deprecated', `is deprecated, ${what}`), to[SUNSET], pair.today);
    } else if (from.deprecated && !to.deprecated) {
      yield change('minor', 'deprecated', 'is no longer deprecated');
    } else if (to.deprecated) {
      if (from[SUNSET] !== to[SUNSET]) {
        const [impact, what] = sunsetMove(from[SUNSET], to[SUNSET]);
        yield impact === 'patch'
          ? change(impact, SUNSET, what)
          : questioned(change(impact, SUNSET, what), to[SUNSET], pair.today);
      }
      if (from[SINCE] !== to[SINCE]) {
        yield change('patch', SINCE, `is deprecated since ${to[SINCE]} instead of ${from[SINCE]}`);
      }
    }
  }
};

/** An operation may leave after its sunset without a new major version: who calls it needs time until then. */
const NOTICE_DAYS = 180;

function questioned(change: Change, sunset: string | undefined, today: string): Change {
  const days = Math.round((Date.parse(sunset ?? '') - Date.parse(today)) / 86_400_000);
  if (!(days < NOTICE_DAYS)) return change;
  const when = days > 0 ? `in ${days} ${days === 1 ? 'day' : 'days'}` : 'already';
  const what = `${change.what}, ${when}: who calls it needs ${NOTICE_DAYS} days to leave`;
  return { ...change, impact: 'major', what, alarm: true };
}

function sunsetMove(from: string | undefined, to: string | undefined): [Impact, string] {
  if (to === undefined) return ['major', `may go away at any time, and was to stay until ${from}`];
  if (from === undefined) return ['minor', `goes away on ${to}`];
  if (to < from) return ['major', `goes away on ${to}, earlier than ${from}`];
  return ['patch', `stays until ${to}, longer than ${from}`];
}
