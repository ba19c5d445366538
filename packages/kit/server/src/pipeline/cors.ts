import type { Contract, Operation } from '@contract-kit/core';
import { bodyKindOf } from '@contract-kit/core/media-type';
import { headersOfDeprecation, headersOfEveryResponse } from '@contract-kit/core/pipeline-headers';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { ACCEPT_QUERY, QUERY } from '../http/accept-query.ts';
import { respond } from './respond.ts';
import type { Limiter } from '../limits/limiter.ts';
import { peekAddress } from './rate-limit.ts';
import { contextOf, hasCaller } from './request-context.ts';
import type { Schemes } from './schemes.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const EXPOSED = [...headersOfEveryResponse, ...headersOfDeprecation, 'Retry-After', 'Date'];

/** The name of a file, in operations that take or send one. */
const NAME = 'Content-Disposition';
const isBytes = (type: string) => type.includes('/') && bodyKindOf(type) === 'bytes';
const takesFile = ({ bodyType = '', bodyTypes = [] }: Operation) => [bodyType, ...bodyTypes].some(isBytes);
const sendsFile = ({ responseTypes, otherTypes = {} }: Operation) =>
  [...Object.values(responseTypes), ...Object.values(otherTypes).flat()].some(
    (type) => isBytes(type) || type === '*/*',
  );

/** Of MCP (2026-07-28, Streamable HTTP). */
const MCP_HEADERS = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];

const acceptedHeaders = ({ operations }: Contract, schemes: Schemes) => [
  ...new Set([
    ...[...schemes.values()].flatMap(({ in: place, name }) => (place === 'header' ? [name] : [])),
    'Content-Type',
    'X-Request-Id',
    // W3C Trace Context and Baggage.
    'traceparent',
    'tracestate',
    'baggage',
    ...Object.values(operations).flatMap(({ headers = [] }) => headers),
    ...(Object.values(operations).some(takesFile) ? [NAME] : []),
  ]),
];

/** Lets browsers on the listed origins call the API. A preflight needs no key and is not counted. */
export function crossOrigin(
  origins: readonly string[],
  { contract, schemes, limiter }: { contract: Contract; schemes: Schemes; limiter: Limiter },
): RequestHandler[] {
  const operations = Object.values(contract.operations);
  const hasQuery = operations.some(({ method }) => method === QUERY);
  const common = {
    origin: [...origins],
    methods: hasQuery ? [...METHODS, QUERY] : METHODS,
    allowedHeaders: acceptedHeaders(contract, schemes),
    exposedHeaders: [
      ...EXPOSED,
      ...(operations.some(sendsFile) ? [NAME] : []),
      ...(hasQuery ? [ACCEPT_QUERY] : []),
    ],
    maxAge: 600,
    preflightContinue: true,
  };
  const forOperations = cors(common);
  const forMcp = cors({ ...common, allowedHeaders: [...common.allowedHeaders, ...MCP_HEADERS] });
  const headers: RequestHandler = (req, res, next) => {
    const { match } = contextOf(req);
    (match.kind === 'outside' && match.isMcp ? forMcp : forOperations)(req, res, next);
  };
  const preflight: RequestHandler = async (req, res, next) => {
    const { match, ip } = contextOf(req);
    const isPreflight = req.method === 'OPTIONS' && 'access-control-request-method' in req.headers;
    if (!isPreflight || !hasCaller(match)) {
      next();
      return;
    }
    await respond(req, res, { status: 204, headers: await peekAddress(limiter, contract, ip) });
  };
  return [headers, preflight];
}
