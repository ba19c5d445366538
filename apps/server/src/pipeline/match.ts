import { basePath, operations, type OperationId } from '@petstore/contract';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ApiError } from '../http/api-error.ts';
import { malformation } from '../http/malformation.ts';
import { deprecationHeaders } from './deprecation.ts';
import { exchangeOf, type Match } from './exchange.ts';

interface Path {
  readonly segments: readonly string[];
  readonly allow: string;
  readonly operations: Readonly<Record<string, OperationId>>;
}

/** Finds the operation by method and path. Paths are case-sensitive and have no trailing slash. */
export function match(): RequestHandler {
  const byLength = groupByLength(pathsOfContract());

  function locate(path: string): Path | undefined {
    const segments = path.split('/');
    return byLength.get(segments.length)?.find((candidate) => matches(candidate, segments));
  }

  function decide(req: IncomingMessage, path: string, found: Path | undefined): Match {
    const malformed = malformation(req, path);
    if (malformed) return { kind: 'refused', error: malformed };
    if (!isUnderBasePath(path)) return { kind: 'outside' };
    if (!found)
      return { kind: 'refused', error: new ApiError('not_found', 'There is nothing at this path.') };
    const method = req.method ?? '';
    if (method === 'OPTIONS') return { kind: 'options', allow: found.allow };
    const operationId = found.operations[method];
    if (operationId) return { kind: 'operation', operationId, pathParams: paramsOf(found, path) };
    return { kind: 'refused', error: methodNotAllowed(method, found.allow) };
  }

  return (req, _res, next) => {
    const path = pathOf(req.url);
    const exchange = exchangeOf(req);
    const found = locate(path);
    exchange.match = decide(req, path, found);
    if (isUnderBasePath(path)) exchange.headers['Cache-Control'] = 'no-store';
    // A malformed request is refused before it is an operation's, but it was made to one all the same.
    const operationId = found?.operations[req.method];
    const deprecation = operationId && deprecationHeaders[operationId];
    if (deprecation) Object.assign(exchange.headers, deprecation);
    next();
  };
}

export function methodNotAllowed(method: string, allow: string): ApiError {
  return new ApiError('method_not_allowed', `${method} is not allowed here. Allowed: ${allow}.`, {
    Allow: allow,
  });
}

export function isUnderBasePath(path: string): boolean {
  return path === basePath || path.startsWith(`${basePath}/`);
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function pathsOfContract(): Path[] {
  const paths = new Map<string, Record<string, OperationId>>();
  for (const [id, { method, path }] of Object.entries(operations)) {
    const methods = paths.get(path) ?? {};
    paths.set(path, methods);
    methods[method] = id as OperationId;
    // RFC 9110 §9.3.2: HEAD is GET without the body.
    if (method === 'GET') methods['HEAD'] ??= id as OperationId;
  }
  return [...paths].map(([path, methods]) => ({
    segments: `${basePath}${path}`.split('/'),
    operations: methods,
    allow: [...Object.keys(methods), 'OPTIONS'].join(', '),
  }));
}

/** Paths of one length, those with literal segments before those with parameters, as OpenAPI 3.1 §4.8.8.2 asks. */
function groupByLength(paths: Path[]): Map<number, Path[]> {
  const pattern = (path: Path) => path.segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');
  const byLength = new Map<number, Path[]>();
  for (const path of paths.sort((a, b) => pattern(a).localeCompare(pattern(b)))) {
    byLength.set(path.segments.length, [...(byLength.get(path.segments.length) ?? []), path]);
  }
  return byLength;
}

function paramsOf({ segments }: Path, path: string): Record<string, string> {
  const params: Record<string, string> = {};
  if (!segments.some(isParameter)) return params;
  const actual = path.split('/');
  for (const [index, segment] of segments.entries()) {
    if (isParameter(segment)) params[segment.slice(1, -1)] = decodeURIComponent(actual[index] ?? '');
  }
  return params;
}

function matches({ segments }: Path, actual: readonly string[]): boolean {
  return segments.every((segment, index) =>
    isParameter(segment) ? actual[index] !== '' : segment === actual[index],
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
