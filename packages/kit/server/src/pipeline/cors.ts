import { headersOfDeprecation, headersOfEveryReply, operations } from '@petstore/contract';
import { rateLimitHeaders } from '@petstore/contract/service';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { addressOf } from '../http/address.ts';
import { reply } from './reply.ts';
import type { Limiter } from '../limits/limiter.ts';
import { addressAccount } from '../limits/account.ts';
import { exchangeOf } from './exchange.ts';
import { schemesOf } from './schemes.ts';

const EXPOSED = [...headersOfEveryReply, ...headersOfDeprecation, 'Retry-After', 'Date'];

const ACCEPTED = [
  ...new Set([
    ...[...schemesOf().values()].map(({ header }) => header),
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
export function crossOrigin(origins: readonly string[], limiter: Limiter): RequestHandler[] {
  const headers = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ACCEPTED,
    exposedHeaders: EXPOSED,
    maxAge: 600,
    preflightContinue: true,
  });
  const preflight: RequestHandler = async (req, res, next) => {
    const { match, ip } = exchangeOf(req);
    const isPreflight = req.method === 'OPTIONS' && 'access-control-request-method' in req.headers;
    if (!isPreflight || match.kind === 'outside') {
      next();
      return;
    }
    const state = await limiter.peek(addressAccount(addressOf(ip)));
    await reply(req, res, { status: 204, headers: rateLimitHeaders(state) });
  };
  return [headers, preflight];
}
