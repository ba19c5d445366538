import { basePath } from '../generated/servers.ts';
import type { Operation } from '../operation.ts';
import type { OperationId } from '../types.ts';

/** A path of the contract, and what may be done there. */
export interface Route<Id = OperationId> {
  readonly segments: readonly string[];
  /** Its methods, as the `Allow` header gives them (RFC 9110 §10.2.1). */
  readonly allow: string;
  /** By method. */
  readonly operations: Readonly<Record<string, Id>>;
}

/** Finds the route of a path, without its query. Paths are case-sensitive and have no trailing slash. */
export function routeFinder<Id extends string>(
  operations: Readonly<Record<Id, Operation>>,
): (path: string) => Route<Id> | undefined {
  const routes = routesOf(operations);
  // A path without parameters is sent as it is written.
  const asWritten = new Map(routes.map((route) => [route.segments.join('/'), route]));
  const byLength = groupByLength(routes);
  const search = (segments: readonly string[]) =>
    byLength.get(segments.length)?.find((candidate) => matches(candidate, segments));
  return (path) => asWritten.get(path) ?? search(path.split('/'));
}

const belowBasePath = `${basePath}/`;

export function isUnderBasePath(path: string): boolean {
  return path === basePath || path.startsWith(belowBasePath);
}

function routesOf<Id extends string>(operations: Readonly<Record<Id, Operation>>): Route<Id>[] {
  const paths = new Map<string, Record<string, Id>>();
  for (const [id, { method, path }] of Object.entries<Operation>(operations)) {
    const methods = paths.get(path) ?? {};
    paths.set(path, methods);
    methods[method] = id as Id;
    // RFC 9110 §9.3.2: HEAD is GET without the body.
    if (method === 'GET') methods['HEAD'] ??= id as Id;
  }
  return [...paths].map(([path, methods]) => ({
    segments: `${basePath}${path}`.split('/'),
    operations: methods,
    allow: [...Object.keys(methods), 'OPTIONS'].join(', '),
  }));
}

/** Paths of one length, those with literal segments before those with parameters, as OpenAPI 3.1 §4.8.8.2 asks. */
function groupByLength<Id>(paths: Route<Id>[]): Map<number, Route<Id>[]> {
  const pattern = (path: Route<Id>) =>
    path.segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');
  const byLength = new Map<number, Route<Id>[]>();
  for (const path of paths.sort((a, b) => pattern(a).localeCompare(pattern(b)))) {
    byLength.set(path.segments.length, [...(byLength.get(path.segments.length) ?? []), path]);
  }
  return byLength;
}

/** The parameters in the path, percent-decoded. Throws a URIError where that is malformed. */
export function paramsOf({ segments }: Pick<Route, 'segments'>, path: string): Record<string, string> {
  const params: Record<string, string> = {};
  if (!segments.some(isParameter)) return params;
  const actual = path.split('/');
  for (const [index, segment] of segments.entries()) {
    if (isParameter(segment)) params[segment.slice(1, -1)] = decodeURIComponent(actual[index] ?? '');
  }
  return params;
}

function matches({ segments }: Pick<Route, 'segments'>, actual: readonly string[]): boolean {
  return segments.every((segment, index) =>
    isParameter(segment) ? actual[index] !== '' : segment === actual[index],
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
