import type { Contract } from '@contract-kit/core';
import { takesCookie, type MediaType, type Model, type Operation } from '@contract-kit/core/model';
import { headersOfDeprecation, headersOfEveryResponse, routeFinder } from '@contract-kit/core/http';
import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import { ACCEPT_QUERY, QUERY } from '../http/accept-query.ts';
import { respond } from './respond.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { ServiceRoutes } from './service-routes.ts';
import { peekAddress } from './rate-limit.ts';
import { requestContextOf, hasCaller, type Match } from './request-context.ts';
import type { Schemes } from './schemes.ts';

const EXPOSED = [
  ...headersOfEveryResponse,
  ...headersOfDeprecation,
  'Retry-After',
  'Date',
  'WWW-Authenticate',
];

/** The name of a file, in operations that take or send one. */
const NAME = 'Content-Disposition';
const isFile = ({ kind, type }: MediaType) => kind === 'bytes' || type === '*/*';
const takesFile = ({ body }: Operation) => body?.content.some(({ kind }) => kind === 'bytes');
const sendsFile = ({ responses }: Operation) => responses.some(({ content }) => content.some(isFile));

/** Of MCP (2026-07-28, Streamable HTTP). */
const MCP_HEADERS = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];

const acceptedHeaders = ({ operations }: Model, schemes: Schemes) => [
  ...new Set([
    ...[...schemes.values()].flatMap(({ in: place, name }) => (place === 'header' ? [name] : [])),
    'Content-Type',
    'X-Request-Id',
    // W3C Trace Context and Baggage.
    'traceparent',
    'tracestate',
    'baggage',
    ...operations.flatMap(({ parameters }) =>
      parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
    ),
    ...(operations.some(takesFile) ? [NAME] : []),
  ]),
];

export interface CrossOriginOptions {
  readonly contract: Contract;
  readonly model: Model;
  readonly schemes: Schemes;
  readonly limiter: Limiter;
  readonly serviceRoutes: ServiceRoutes;
}

/** Lets browsers on the listed origins call the API. A preflight needs no key and is not counted. */
export function crossOrigin(
  origins: readonly string[],
  { contract, model, schemes, limiter, serviceRoutes }: CrossOriginOptions,
): RequestHandler[] {
  const { operations } = model;
  const hasQuery = operations.some(({ method }) => method === QUERY);
  const common = {
    origin: [...origins],
    allowedHeaders: acceptedHeaders(model, schemes),
    exposedHeaders: [
      ...EXPOSED,
      ...(operations.some(sendsFile) ? [NAME] : []),
      ...(hasQuery ? [ACCEPT_QUERY] : []),
    ],
    maxAge: 600,
    preflightContinue: true,
  };
  const mcpHeaders = [...common.allowedHeaders, ...MCP_HEADERS];
  const routeOf = routeFinder(model.operationOf, contract.basePath);
  const methodsAt = (match: Match, path: string): string[] => {
    if (match.kind !== 'outside') return Object.keys(routeOf(path)?.operations ?? {});
    if (match.isOfService) return serviceRoutes.methodsAt(path);
    return match.isMcp ? ['POST'] : ['GET', 'HEAD'];
  };
  const takers = operations.filter((operation) => takesCookie(operation, model)).map(({ id }) => id);
  /** `cors` says so to every origin. */
  const maySendCookies = ({ headers, method, path }: Request): boolean => {
    if (takers.length === 0 || !origins.includes(headers.origin ?? '')) return false;
    const asked = method === 'OPTIONS' ? headers['access-control-request-method'] : undefined;
    return takers.includes(routeOf(path)?.operations[asked ?? method] ?? '');
  };
  const headers: RequestHandler = cors<Request>((req, done) => {
    const { match } = requestContextOf(req);
    const isMcp = match.kind === 'outside' && match.isMcp === true;
    const methods = req.method === 'OPTIONS' ? methodsAt(match, req.path) : [];
    const credentials = maySendCookies(req);
    done(null, { ...common, methods, credentials, ...(isMcp && { allowedHeaders: mcpHeaders }) });
  });
  const preflight: RequestHandler = async (req, res, next) => {
    const { match, ip } = requestContextOf(req);
    const isPreflight = req.method === 'OPTIONS' && 'access-control-request-method' in req.headers;
    if (!isPreflight || !hasCaller(match)) {
      next();
      return;
    }
    await respond(req, res, { status: 204, headers: await peekAddress(limiter, contract, ip) });
  };
  return [headers, preflight];
}
