import { basePath, operations, type OperationId } from '@petstore/contract';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ApiError } from '../http/api-error.ts';
import { timesSent } from '../http/headers.ts';
import { deprecationHeaders } from './deprecation.ts';
import { exchangeOf, type Match } from './exchange.ts';

interface Path {
  readonly segments: readonly string[];
  readonly allow: string;
  readonly operations: Readonly<Record<string, OperationId>>;
}

/** RFC 3986 §3.2.2 and §3.2.3: a name, an IPv4 address or a bracketed IPv6 address, and perhaps a port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

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

function malformation(req: IncomingMessage, path: string): ApiError | undefined {
  // RFC 9112 §3.2: an HTTP/1.1 request has exactly one Host, and a server answers any other number with 400.
  const hosts = timesSent(req, 'host');
  if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1')) {
    return new ApiError('invalid_request', 'The request must have exactly one Host header.', {
      Connection: 'close',
    });
  }
  const { expect, host, 'transfer-encoding': encoding } = req.headers;
  if (host !== undefined && !HOST.test(host)) {
    return new ApiError('invalid_request', 'The Host header must be a host and a port (RFC 9110 §7.2).', {
      Connection: 'close',
    });
  }
  // Node also hands on HTTP/0.9 and HTTP/2.0 in a request line. RFC 9112 §6.1: HTTP/1.0 has no Transfer-Encoding.
  if (req.httpVersion !== '1.1' && (req.httpVersion !== '1.0' || encoding !== undefined)) {
    return new ApiError('invalid_request', 'The request must be HTTP/1.1, or HTTP/1.0 without chunks.', {
      Connection: 'close',
    });
  }
  // RFC 9112 §6.3: without chunks the body has no end. Node hands such a request on before it complains.
  if (encoding !== undefined && !/(?:^|[ \t,])chunked$/i.test(encoding)) {
    return new ApiError('invalid_request', 'The last Transfer-Encoding must be chunked.', {
      Connection: 'close',
    });
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new ApiError('expectation_failed', 'Only the expectation 100-continue can be met.', {
      Connection: 'close',
    });
  }
  if (!path.includes('%')) return undefined;
  try {
    decodeURIComponent(path);
    return undefined;
  } catch {
    return new ApiError('invalid_request', 'The path is not percent-encoded correctly (RFC 3986 §2.1).');
  }
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
