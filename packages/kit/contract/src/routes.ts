import type { Operation } from './operation.ts';

/** A path of the contract, and what may be done there. */
export interface Route {
  readonly segments: readonly string[];
  /** Its methods, as the `Allow` header gives them (RFC 9110 §10.2.1). */
  readonly allow: string;
  /** By method. */
  readonly operations: Readonly<Record<string, string>>;
}

type Operations = Readonly<Record<string, Operation>>;

/** Finds the route of a path, without its query. Paths are case-sensitive and have no trailing slash. */
export function routeFinder(operations: Operations, basePath: string): (path: string) => Route | undefined {
  const routes = routesOf(operations, basePath);
  // A path without parameters is sent as it is written.
  const asWritten = new Map(routes.map((route) => [route.segments.join('/'), route]));
  const byLength = groupByLength(routes);
  const search = (segments: readonly string[]) =>
    byLength.get(segments.length)?.find((candidate) => matches(candidate, segments));
  return (path) => asWritten.get(path) ?? search(path.split('/'));
}

/** Tells whether a path is the base path or lies below it. */
export function underBasePath(basePath: string): (path: string) => boolean {
  const below = `${basePath}/`;
  return (path) => path === basePath || path.startsWith(below);
}

function routesOf(operations: Operations, basePath: string): Route[] {
  const paths = new Map<string, Record<string, string>>();
  for (const [id, { method, path }] of Object.entries(operations)) {
    const methods = paths.get(path) ?? {};
    paths.set(path, methods);
    methods[method] = id;
    // RFC 9110 §9.3.2: HEAD is GET without the body.
    if (method === 'GET') methods['HEAD'] ??= id;
  }
  return [...paths].map(([path, methods]) => ({
    segments: `${basePath}${path}`.split('/'),
    operations: methods,
    allow: [...Object.keys(methods), 'OPTIONS'].join(', '),
  }));
}

/** Paths of one length, those with literal segments before those with parameters, as OpenAPI 3.1 §4.8.8.2 asks. */
function groupByLength(paths: Route[]): Map<number, Route[]> {
  const pattern = (path: Route) =>
    path.segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');
  const byLength = new Map<number, Route[]>();
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
