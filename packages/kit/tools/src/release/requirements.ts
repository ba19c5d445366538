import type { Json } from '../source-document.ts';
import { nameOf } from '@kit/contract/model';
import { packageVersion } from '../package-version.ts';
import { isPastSunset, matchedOperations, placeOf, type Impact, type Pair, type Place } from './change.ts';
import { compareVersions, nextVersion, parseVersion, type Version } from './version.ts';

export interface Problem {
  readonly message: string;
  readonly place: Place;
}

/** The lowest version that changes of `impact` allow. */
export function neededVersion(pair: Pair, impact: Impact | undefined): Version {
  // An adopted contract may have been released as `v2.1`, or as `1.0.0-rc.1`, after which all may change (SemVer §9).
  const [released, ...prerelease] = packageVersion(String(pair.base.document.info?.version)).split('-');
  return nextVersion(parseVersion(released) ?? [0, 0, 0], prerelease.length > 0 ? undefined : impact);
}

/** The version may rise by more than the changes need, never by less. */
export function* checkVersionRises(pair: Pair, impact: Impact | undefined): Iterable<Problem> {
  const [from, to]: Json[] = [pair.base, pair.revision].map(({ document }) => document.info?.version);
  if (from === to && impact === undefined) return;
  const place = placeOf(pair, 'revision', ['info', 'version']);
  const [needed, next] = [neededVersion(pair, impact), parseVersion(to)];
  if (!next) {
    yield { message: `info.version must be of the form 1.2.3: ${to}`, place };
  } else if (compareVersions(next, needed) < 0) {
    const rise = from === to ? `stays ${to}` : `goes from ${from} to ${to}`;
    const reason =
      impact === undefined ? 'it may not fall below' : `a ${impact} change of the contract needs`;
    yield { message: `info.version ${rise}, but ${reason} ${needed.join('.')}`, place };
  }
}

/** Clients of the old major version keep calling its address, so the new one needs another. */
export function* checkPathSegment(pair: Pair): Iterable<Problem> {
  const [released, next] = [pair.base, pair.revision].map(({ document }) =>
    parseVersion(document.info?.version),
  );
  if (!released || !next || next[0] <= released[0]) return;
  const taken = pair.base.document.servers?.map((server: Json) => versionSegment(server.url)) ?? [];
  for (const [index, server] of (pair.revision.document.servers ?? []).entries()) {
    const segment = versionSegment(server.url);
    if (segment === undefined || !taken.includes(segment)) continue;
    yield {
      message: `version ${next.join('.')} needs a new path segment, such as /v${next[0]}: ${server.url} keeps /${segment}`,
      place: placeOf(pair, 'revision', ['servers', index, 'url']),
    };
  }
}

function versionSegment(url: Json): string | undefined {
  return /\/(v\d+)\/?$/.exec(String(url))?.[1];
}

/** An operation may go only after it was released as deprecated and its sunset date has passed. */
export function* checkDisappearances(pair: Pair): Iterable<Problem> {
  for (const { before, after } of matchedOperations(pair)) {
    if (!before || after || isPastSunset(before, pair.today)) continue;
    const { deprecated, 'x-deprecated-sunset': sunset } = before.definition;
    const promise = deprecated
      ? `disappears before its sunset date, ${sunset ?? 'which it never had'}`
      : 'disappears without ever having been released as deprecated, with a sunset date';
    yield { message: `${nameOf(before)} ${promise}`, place: placeOf(pair, 'base', before.pointer) };
  }
}
