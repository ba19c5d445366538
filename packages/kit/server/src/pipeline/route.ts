import type { Contract } from '@kit/contract';
import { deprecationHeaders } from '@kit/contract/pipeline-headers';
import { isLiteral, paramsOf, routeFinder, underBasePath, type Route } from '@kit/contract/routes';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ApiError, pipelineError } from '../http/api-error.ts';
import { checkHttpMessage } from '../http/check-http-message.ts';
import { contextOf, type Match } from './request-context.ts';

/** Finds the operation by method and path. Paths without an operation are outside the API if they are in `pages`. */
export function route(
  { operations, deprecations, basePath }: Contract,
  pages: ReadonlySet<string>,
): RequestHandler {
  const routeOf = routeFinder(operations, basePath);
  const isUnderBasePath = underBasePath(basePath);
  const headersOf = deprecationHeaders(deprecations);

  function decide(req: IncomingMessage, path: string, found: Route | undefined): Match {
    const malformed = checkHttpMessage(req, path);
    const operationId = found?.operations[req.method ?? ''];
    if (malformed) return { kind: 'refused', error: malformed, operationId };
    // A literal path matches before a parameter, also if it is a page (OpenAPI 3.1 §4.8.8.2).
    const isPage = pages.has(path) && !(found && isLiteral(found));
    if (!isUnderBasePath(path) || isPage) return { kind: 'outside' };
    if (!found) return { kind: 'refused', error: pipelineError('not_found') };
    const method = req.method ?? '';
    if (method === 'OPTIONS' && operationId === undefined) return { kind: 'options', allow: found.allow };
    const operation = operationId === undefined ? undefined : operations[operationId];
    if (operationId !== undefined && operation)
      return { kind: 'operation', operationId, operation, pathParams: paramsOf(found, method, path) };
    return { kind: 'refused', error: methodNotAllowed(method, found.allow) };
  }

  return (req, _res, next) => {
    const path = pathOf(req.url);
    const context = contextOf(req);
    const found = routeOf(path);
    context.match = decide(req, path, found);
    if (context.match.kind !== 'outside') context.headers['Cache-Control'] = 'no-store';
    // A malformed request still gets the deprecation headers of its operation.
    const operationId = found?.operations[req.method];
    const deprecation = operationId && headersOf[operationId];
    if (deprecation) Object.assign(context.headers, deprecation);
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
