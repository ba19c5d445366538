import { objectAt, operationName } from '@contract-kit/core/model';
import {
  isPastSunset,
  matchedOperations,
  placeOf,
  serversIn,
  type ComparedContract,
  type Impact,
  type Pair,
  type Place,
} from './change.ts';
import { compareVersions, nextVersion, parseVersion, type Version } from './version.ts';

export interface Objection {
  readonly message: string;
  readonly place: Place;
}

/** The lowest version that changes of `impact` allow; undefined if one of the two versions is not semantic. */
export function neededVersion(pair: Pair, impact: Impact | undefined): Version | undefined {
  const [base, revision] = versionsOf(pair);
  if (!base || !revision) return undefined;
  // After a pre-release all may change (SemVer §9).
  return nextVersion(base.numbers, base.isPrerelease ? undefined : impact);
}

function versionsOf({ base, revision }: Pair) {
  return [base, revision].map((contract) => parseVersion(versionIn(contract)));
}

export function versionIn({ document }: ComparedContract): unknown {
  return objectAt(document, 'info')['version'];
}

/** The version may rise by more than the changes need, never by less. One that is not semantic, such as a date, must change. */
export function* checkVersionRises(pair: Pair, impact: Impact | undefined): Iterable<Objection> {
  const [from, to] = [versionIn(pair.base), versionIn(pair.revision)];
  if (from === to && impact === undefined) return;
  const place = placeOf(pair, 'revision', ['info', 'version']);
  const [needed, next] = [neededVersion(pair, impact), versionsOf(pair)[1]];
  if (!needed || !next) {
    if (from === to)
      yield { message: `info.version stays ${String(to)}, but the contract has changed`, place };
  } else if (compareVersions(next.numbers, needed) < 0) {
    const rise = from === to ? `stays ${String(to)}` : `goes from ${String(from)} to ${String(to)}`;
    const reason =
      impact === undefined ? 'it may not fall below' : `a ${impact} change of the contract needs`;
    yield { message: `info.version ${rise}, but ${reason} ${needed.join('.')}`, place };
  }
}

/** Clients of the old major version keep calling its address, so the new one needs another. */
export function* checkPathSegment(pair: Pair): Iterable<Objection> {
  const [released, next] = versionsOf(pair).map((version) => version?.numbers);
  if (!released || !next || next[0] <= released[0]) return;
  const taken = serversIn(pair.base).map(({ url }) => versionSegment(url));
  for (const [index, { url }] of serversIn(pair.revision).entries()) {
    const segment = versionSegment(url);
    if (segment === undefined || !taken.includes(segment)) continue;
    yield {
      message: `version ${next.join('.')} needs a new path segment, such as /v${next[0]}: ${String(url)} keeps /${segment}`,
      place: placeOf(pair, 'revision', ['servers', index, 'url']),
    };
  }
}

function versionSegment(url: unknown): string | undefined {
  return /\/(v\d+)\/?$/.exec(String(url))?.[1];
}

/** An operation may go only after it was released as deprecated and its sunset date has passed. */
export function* checkDisappearances(pair: Pair): Iterable<Objection> {
  for (const { before, after } of matchedOperations(pair)) {
    if (!before || after || isPastSunset(before, pair.today)) continue;
    const { deprecated, 'x-deprecated-sunset': sunset } = before.definition;
    const promise = deprecated
      ? `disappears before its sunset date, ${sunset ?? 'which it never had'}`
      : 'disappears without ever having been released as deprecated, with a sunset date';
    yield { message: `${operationName(before)} ${promise}`, place: placeOf(pair, 'base', before.pointer) };
  }
}
