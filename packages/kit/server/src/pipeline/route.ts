import { operations, policies } from '@petstore/contract';
import {
  deprecationHeaders,
  isUnderBasePath,
  paramsOf,
  routeFinder,
  type Route,
} from '@petstore/contract/service';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ApiError, pipelineError } from '../http/api-error.ts';
import { malformation } from '../http/malformation.ts';
import { exchangeOf, type Match } from './exchange.ts';

/** Finds the operation by method and path. Paths are case-sensitive and have no trailing slash. */
export function match(): RequestHandler {
  const routeOf = routeFinder(operations);
  const headersOf = deprecationHeaders(policies);

  function decide(req: IncomingMessage, path: string, found: Route | undefined): Match {
    const malformed = malformation(req, path);
    if (malformed) return { kind: 'refused', error: malformed };
    if (!isUnderBasePath(path)) return { kind: 'outside' };
    if (!found) return { kind: 'refused', error: pipelineError('not_found') };
    const method = req.method ?? '';
    if (method === 'OPTIONS') return { kind: 'options', allow: found.allow };
    const operationId = found.operations[method];
    if (operationId) return { kind: 'operation', operationId, pathParams: paramsOf(found, path) };
    return { kind: 'refused', error: methodNotAllowed(method, found.allow) };
  }

  return (req, _res, next) => {
    const path = pathOf(req.url);
    const exchange = exchangeOf(req);
    const found = routeOf(path);
    exchange.match = decide(req, path, found);
    if (isUnderBasePath(path)) exchange.headers['Cache-Control'] = 'no-store';
    // A malformed request is refused before it is an operation's, but it was made to one all the same.
    const operationId = found?.operations[req.method];
    const deprecation = operationId && headersOf[operationId];
    if (deprecation) Object.assign(exchange.headers, deprecation);
    next();
  };
}

export function methodNotAllowed(method: string, allow: string): ApiError {
  return new ApiError('method_not_allowed', `${method} is not allowed here. Allowed: ${allow}.`, {
    Allow: allow,
  });
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
