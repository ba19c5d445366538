import type { Contract } from '@kit/contract';
import { headersOfDeprecation, headersOfEveryResponse } from '@kit/contract/pipeline-headers';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { respond } from './respond.ts';
import type { Limiter } from '../limits/limiter.ts';
import { peekAddress } from './rate-limit.ts';
import { contextOf } from './request-context.ts';
import type { Schemes } from './schemes.ts';

const EXPOSED = [...headersOfEveryResponse, ...headersOfDeprecation, 'Retry-After', 'Date'];

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
  ]),
];

/** Lets browsers on the listed origins call the API. A preflight needs no key and is not counted. */
export function crossOrigin(
  origins: readonly string[],
  { contract, schemes, limiter }: { contract: Contract; schemes: Schemes; limiter: Limiter },
): RequestHandler[] {
  const headers = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: acceptedHeaders(contract, schemes),
    exposedHeaders: EXPOSED,
    maxAge: 600,
    preflightContinue: true,
  });
  const preflight: RequestHandler = async (req, res, next) => {
    const { match, ip } = contextOf(req);
    const isPreflight = req.method === 'OPTIONS' && 'access-control-request-method' in req.headers;
    if (!isPreflight || match.kind === 'outside') {
      next();
      return;
    }
    await respond(req, res, { status: 204, headers: await peekAddress(limiter, contract, ip) });
  };
  return [headers, preflight];
}
