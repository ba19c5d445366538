import { rateLimitHeaders } from '@petstore/contract/service';
import { LRUCache } from 'lru-cache';
import type { Request, RequestHandler, Response } from 'express';
import { arrivalOf } from '../http/arrival.ts';
import { addressOf } from '../http/address.ts';
import { serviceUnavailable } from '../http/api-error.ts';
import { replyWithError } from './reply.ts';
import type { Limiter } from '../limits/limiter.ts';
import { shedRequests } from '../metrics.ts';
import { addressAccount } from '../limits/account.ts';
import { exchangeOf } from './exchange.ts';

/** For how long an address is shown the same rate-limit state, in milliseconds, so that a flood costs no look-up each. */
const STATE_TTL = 1_000;
const MAX_ADDRESSES = 10_000;

/**
 * Refuses the requests that are one too many for the event loop with 503, before anything is spent on them: no key is
 * looked up and nothing is counted against a quota. What the operator watches by goes on.
 */
export function shed(limiter: Limiter): RequestHandler {
  const shown = new LRUCache<string, Record<string, string>>({ max: MAX_ADDRESSES, ttl: STATE_TTL });

  async function stateHeadersOf(ip: string | undefined): Promise<Record<string, string>> {
    const address = addressOf(ip);
    let headers = shown.get(address);
    if (!headers) {
      headers = rateLimitHeaders(await limiter.peek(addressAccount(address)));
      shown.set(address, headers);
    }
    return headers;
  }

  // One for all, and not by way of the error handler: neither a stack nor a line in the log for each of a flood.
  const refusal = serviceUnavailable();
  async function refuse(req: Request, res: Response): Promise<void> {
    shedRequests.inc();
    const { match, headers, ip } = exchangeOf(req);
    if (match.kind !== 'outside') Object.assign(headers, await stateHeadersOf(ip));
    await replyWithError(req, res, refusal);
  }

  return (req, res, next) => {
    if (arrivalOf(req)?.isShed) return refuse(req, res);
    next();
  };
}
