import type { Json } from '../contract.ts';
import { nameOf } from '../operations.ts';
import { clientManifestFile } from '../workspace.ts';
import {
  IMPACTS,
  isPastSunset,
  operationsOnlyIn,
  placeOf,
  type Change,
  type Impact,
  type Pair,
  type Place,
} from './change.ts';
import { compareVersions, nextVersion, parseVersion, type Version } from './version.ts';

/** What keeps a contract from being released. */
export interface Problem {
  readonly message: string;
  readonly place: Place;
}

/** The gravest impact among `changes`, on the client or else on the API. */
export function impactOf(changes: readonly Change[], on: 'API' | 'client' = 'API'): Impact | undefined {
  const felt = changes.filter(({ ofClient }) => on === 'client' || !ofClient);
  return IMPACTS.find((impact) => felt.some((change) => change.impact === impact));
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
    const shortfall = shortfallOf(released, next, impactOf(changes));
    if (shortfall) yield { message: `info.version ${shortfall}`, place };
  }
}

/** The client is made of the contract: its own version rises by as much, and may rise by more. */
export function* checkClientVersion(
  base: string | undefined,
  revision: string | undefined,
  changes: readonly Change[],
): Iterable<Problem> {
  if (base === undefined || revision === undefined) return;
  const [released, next] = [base, revision].map((text) => parseVersion(JSON.parse(text).version));
  const lines = revision.split('\n');
  const line = lines.findIndex((each) => each.startsWith('  "version"'));
  const column = (lines[line] ?? '').indexOf(': "') + 3;
  const place = { side: 'revision', file: clientManifestFile, line: line + 1, column } as const;
  if (!released || !next) {
    yield { message: 'the version of the client must be of the form 1.2.3', place };
    return;
  }
  const shortfall = shortfallOf(released, next, impactOf(changes, 'client'));
  if (shortfall) yield { message: `the version of the client ${shortfall}`, place };
}

function shortfallOf(released: Version, next: Version, impact: Impact | undefined): string | undefined {
  const needed = nextVersion(released, impact);
  if (compareVersions(next, needed) >= 0) return undefined;
  const [from, to] = [released.join('.'), next.join('.')];
  const rise = from === to ? `stays ${to}` : `goes from ${from} to ${to}`;
  const reason = impact === undefined ? 'it may not fall below' : `a ${impact} change of the contract needs`;
  return `${rise}, but ${reason} ${needed.join('.')}`;
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
export function* checkDisappearances(pair: Pair): Iterable<Problem> {
  for (const operation of operationsOnlyIn('base', pair)) {
    if (isPastSunset(operation, pair.today)) continue;
    const { deprecated, 'x-deprecated-sunset': sunset } = operation.definition;
    const promise = deprecated
      ? `disappears before its sunset date, ${sunset ?? 'which it never had'}`
      : 'disappears without ever having been released as deprecated, with a sunset date';
    yield { message: `${nameOf(operation)} ${promise}`, place: placeOf(pair, 'base', operation.pointer) };
  }
}
