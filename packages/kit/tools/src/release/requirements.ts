import type { Json } from '../source-document.ts';
import { nameOf } from '../operations.ts';
import { packageVersion } from '../package-version.ts';
import {
  IMPACTS,
  isPastSunset,
  matchedOperations,
  placeOf,
  type Change,
  type Impact,
  type Pair,
  type Place,
} from './change.ts';
import { compareVersions, nextVersion, parseVersion } from './version.ts';

export interface Problem {
  readonly message: string;
  readonly place: Place;
}

export function impactOf(changes: readonly Change[]): Impact | undefined {
  return IMPACTS.find((impact) => changes.some((change) => change.impact === impact));
}

/** The version may rise by more than the changes need, never by less. */
export function checkVersionRises(pair: Pair, changes: readonly Change[]): Problem[] {
  const [from, to] = [pair.base, pair.revision].map(({ document }) => document.info?.version);
  const place = placeOf(pair, 'revision', ['info', 'version']);
  return riseOf(from, to, impactOf(changes)).map((message) => ({ message, place }));
}

/** The fault of a version step `from` one `to` another, if any. */
function riseOf(from: unknown, to: unknown, impact: Impact | undefined): string[] {
  if (from === to && impact === undefined) return [];
  // An adopted contract may have been released as `v2.1`.
  const released = parseVersion(from) ?? parseVersion(packageVersion(String(from)));
  const next = parseVersion(to);
  if (!released) return [`info.version was released in another form than 1.2.3: ${String(from)}`];
  if (!next) return [`info.version must be of the form 1.2.3: ${String(to)}`];
  const needed = nextVersion(released, impact);
  if (compareVersions(next, needed) >= 0) return [];
  const rise = from === to ? `stays ${String(to)}` : `goes from ${String(from)} to ${String(to)}`;
  const reason = impact === undefined ? 'it may not fall below' : `a ${impact} change of the contract needs`;
  return [`info.version ${rise}, but ${reason} ${needed.join('.')}`];
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
