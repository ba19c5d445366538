import type { Json } from '../contract.ts';
import { operationsOf } from '../operations.ts';
import { nameOf, placeOf, routeOf, type Change, type Impact, type Pair, type Place } from './change.ts';
import { IMPACTS } from './change.ts';
import { compareVersions, nextVersion, parseVersion } from './version.ts';

/** What keeps a contract from being released. */
export interface Problem {
  readonly message: string;
  readonly place: Place;
}

/** The gravest impact among `changes`. */
export function impactOf(changes: readonly Change[]): Impact | undefined {
  return IMPACTS.find((impact) => changes.some((change) => change.impact === impact));
}

/** The version says how much has changed: it may rise by more than it must, never by less. */
export function* checkVersionRises(pair: Pair, changes: readonly Change[]): Iterable<Problem> {
  const place = placeOf(pair, 'revision', ['info', 'version']);
  const [from, to] = [pair.base, pair.revision].map(({ document }) => document.info?.version);
  const [released, next] = [parseVersion(from), parseVersion(to)];
  if (released === undefined) {
    yield {
      message: `the released info.version is not of the form 1.2.3: ${from}`,
      place: placeOf(pair, 'base', ['info', 'version']),
    };
  } else if (next === undefined) {
    yield { message: `info.version must be of the form 1.2.3: ${to}`, place };
  } else {
    const impact = impactOf(changes);
    const needed = nextVersion(released, impact);
    if (compareVersions(next, needed) >= 0) return;
    const rise = from === to ? `stays ${to}` : `goes from ${from} to ${to}`;
    const reason = impact === undefined ? 'it may not fall below' : `a ${impact} change needs`;
    yield { message: `info.version ${rise}, but ${reason} ${needed.join('.')}`, place };
  }
}

/** Clients of the old major version go on calling its address: the new one needs another. */
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
      message: `version ${next.join('.')} needs a path segment of its own, such as /v${next[0]}: ${server.url} keeps /${segment}`,
      place: placeOf(pair, 'revision', ['servers', index, 'url']),
    };
  }
}

function versionSegment(url: Json): string | undefined {
  return /\/(v\d+)\/?$/.exec(String(url))?.[1];
}

/** An operation goes only when it was released as deprecated, and its sunset date has come. */
export function* checkDisappearances(pair: Pair, today: string): Iterable<Problem> {
  const present = new Set(operationsOf(pair.revision).map(routeOf));
  for (const operation of operationsOf(pair.base)) {
    if (present.has(routeOf(operation))) continue;
    const { deprecated, 'x-deprecated-sunset': sunset } = operation.definition;
    if (deprecated && sunset <= today) continue;
    const promise = deprecated
      ? `disappears before its sunset date, ${sunset ?? 'which it never had'}`
      : 'disappears without ever having been released as deprecated, with a sunset date';
    yield { message: `${nameOf(operation)} ${promise}`, place: placeOf(pair, 'base', operation.pointer) };
  }
}
