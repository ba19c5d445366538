import { changeOf, type Change, type Impact, type SharedOperation } from './change.ts';

const SINCE = 'x-deprecated-since';
const SUNSET = 'x-deprecated-sunset';

/** An operation may go after its sunset without a new major version, so callers need time until then. */
const NOTICE_DAYS = 180;

/** Callers rely on an operation until its sunset date: the date may move away, but not closer. */
export function* compareDeprecation({ pair, before, after, to }: SharedOperation): Iterable<Change> {
  const [was, is] = [before.definition, after.definition];
  if (was.deprecated && !is.deprecated)
    yield changeOf(to, 'minor', 'is no longer deprecated', ['deprecated']);
  if (!is.deprecated) return;
  const isNew = !was.deprecated;
  if (isNew || was[SUNSET] !== is[SUNSET]) {
    const [impact, what] = sunsetOf(isNew, was[SUNSET], is[SUNSET]);
    const change = changeOf(to, impact, what, [isNew ? 'deprecated' : SUNSET]);
    yield impact === 'patch' ? change : withNotice(change, is[SUNSET], pair.today);
  }
  if (!isNew && was[SINCE] !== is[SINCE])
    yield changeOf(to, 'patch', `is deprecated since ${is[SINCE]} instead of ${was[SINCE]}`, [SINCE]);
}

function sunsetOf(isNew: boolean, from: string | undefined, to: string | undefined): [Impact, string] {
  if (isNew) return ['minor', `is deprecated, ${to ? `and goes away on ${to}` : 'without a sunset date'}`];
  if (to === undefined) return ['major', `may go away at any time, and was to stay until ${from}`];
  if (from === undefined) return ['minor', `goes away on ${to}`];
  if (to < from) return ['major', `goes away on ${to}, earlier than ${from}`];
  return ['patch', `stays until ${to}, longer than ${from}`];
}

function withNotice(change: Change, sunset: string | undefined, today: string): Change {
  const days = Math.round((Date.parse(sunset ?? '') - Date.parse(today)) / 86_400_000);
  if (!(days < NOTICE_DAYS)) return change;
  const when = days > 0 ? `in ${days} ${days === 1 ? 'day' : 'days'}` : 'already';
  const what = `${change.what}, ${when}: callers need ${NOTICE_DAYS} days to leave`;
  return { ...change, impact: 'major', what, alarm: true };
}

/** From the loosest promise to the firmest. An operation without a marker is stable. */
const STABILITIES = ['experimental', 'beta', 'stable'];

/** An operation may become firmer, but not looser. */
export function* compareStability({ before, after, to }: SharedOperation): Iterable<Change> {
  const [was = 'stable', is = 'stable'] = [before, after].map(({ definition }) => definition['x-stability']);
  if (was === is) return;
  const isLooser = STABILITIES.indexOf(is) < STABILITIES.indexOf(was);
  yield changeOf(to, isLooser ? 'major' : 'minor', `is ${is}, and was ${was}`, ['x-stability']);
}
