import type { Contract } from '@contract-kit/core';
import {
  mcpPath,
  deprecationHeaders,
  isLiteral,
  paramsOf,
  routeFinder,
  underBasePath,
  type Route,
} from '@contract-kit/core/http';
import { errorTexts } from '@contract-kit/core/errors';
import type { Model, Operation } from '@contract-kit/core/model';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ApiError, pipelineError } from '../http/api-error.ts';
import { ACCEPT_QUERY, acceptQueryOf, QUERY } from '../http/accept-query.ts';
import { checkHttpMessage, checkPath } from '../http/check-http-message.ts';
import { memoize } from '../memoize.ts';
import { requestContextOf, hasCaller, type Match } from './request-context.ts';
import { responsePlan, type ResponsePlan } from './response-plan.ts';

/**
 * Finds the operation by method and path. Paths without an operation are outside the API if they are in `pages`, or if
 * `isOfService` holds for them.
 */
export function route(
  { basePath }: Pick<Contract, 'basePath'>,
  model: Model,
  pages: ReadonlySet<string>,
  isOfService: (path: string) => boolean = () => false,
): RequestHandler {
  const { operations } = model;
  const routeOf = routeFinder(model.operationOf, basePath);
  const isUnderBasePath = underBasePath(basePath);
  const queried = acceptQueryHeaders(operations);
  const plans = new Map(operations.map((operation) => [operation.id, plannedFor(operation)]));

  function decide(
    req: IncomingMessage,
    path: string,
    found: Route | undefined,
    planned: Planned | undefined,
  ): Match {
    const operationId = planned?.operation.id;
    // RFC 9112 wants 400, whatever the operation declares.
    const malformed = checkHttpMessage(req);
    if (malformed) return { kind: 'rejected', error: malformed, operationId };
    const undecodable = checkPath(path);
    if (undecodable)
      return { kind: 'rejected', error: undecodable, operationId, operation: planned?.operation };
    // A literal path matches before a parameter, also if it is a page (OpenAPI 3.1 §4.8.8.2).
    const isPage = pages.has(path) && !(found && isLiteral(found));
    if (!found && isOfService(path)) return { kind: 'outside', isOfService: true };
    if (isPage && path === mcpPath) return { kind: 'outside', isMcp: true };
    if (!isUnderBasePath(path) || isPage) return { kind: 'outside' };
    if (!found) return { kind: 'rejected', error: pipelineError('not_found') };
    const method = req.method ?? '';
    if (method === 'OPTIONS' && operationId === undefined) return { kind: 'options', allow: found.allow };
    if (planned) {
      const { operation, planOf } = planned;
      return {
        kind: 'operation',
        operationId: operation.id,
        operation,
        planOf,
        pathParams: paramsOf(found, method, path),
      };
    }
    return { kind: 'rejected', error: wrongMethod(method, found.allow) };
  }

  return (req, _res, next) => {
    const path = pathOf(req.url);
    const context = requestContextOf(req);
    const found = routeOf(path);
    const operationId = found?.operations[req.method];
    const planned = operationId === undefined ? undefined : plans.get(operationId);
    context.match = decide(req, path, found, planned);
    if (hasCaller(context.match)) context.headers['Cache-Control'] = 'no-store';
    // A malformed request still gets the deprecation headers of its operation.
    if (planned?.headers) Object.assign(context.headers, planned.headers);
    // Of every response at a path with a QUERY (RFC 10008 §3).
    const queryId = queried.size > 0 && found?.operations[QUERY];
    if (queryId) context.headers[ACCEPT_QUERY] = queried.get(queryId) ?? '';
    next();
  };
}

/** What requests of an operation need, decided once. */
interface Planned {
  readonly operation: Operation;
  readonly planOf: (status: number) => ResponsePlan;
  /** If it is deprecated. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

function plannedFor(operation: Operation): Planned {
  const { id, deprecation } = operation;
  return {
    operation,
    planOf: memoize((status: number) => responsePlan(operation, status)),
    headers: deprecation && deprecationHeaders(id, deprecation),
  };
}

/** The `Accept-Query` header of each operation with the method QUERY, by operationId. */
function acceptQueryHeaders(operations: Model['operations']): ReadonlyMap<string, string> {
  const all = operations.filter(({ method }) => method === QUERY);
  return new Map(
    all.map(({ id, body }) => [id, acceptQueryOf((body?.content ?? []).map(({ type }) => type))]),
  );
}

export function wrongMethod(method: string, allow: string): ApiError {
  return new ApiError('method_not_allowed', errorTexts.methodNotAllowed(method, allow), { Allow: allow });
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
