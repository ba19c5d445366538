import { errorCodes } from '@petstore/contract';
import { rateLimitHeaders, type Decision } from '@petstore/contract/service';
import type { RequestHandler } from 'express';
import type { ActiveKey } from '../keys/key-store.ts';
import { bans } from '../metrics.ts';
import { addressAccount, keyAccount } from '../limits/account.ts';
import type { Limiter } from '../limits/limiter.ts';
import { exchangeOf } from './exchange.ts';
import { replyWithError } from './reply.ts';
import { whenKnown } from './when-known.ts';

/** A key that has just been banned, and whose request led to that. */
export interface Ban {
  readonly key: ActiveKey;
  readonly address: string | undefined;
  readonly until: Date;
}

/**
 * Counts the request, or refuses it with 429. OPTIONS is shown its state without being counted, and so is a key that
 * cannot be checked: its own quota is not known, and 429 would blame the client for a store that is down.
 */
export function limit(limiter: Limiter, onBan: (ban: Ban) => void): RequestHandler {
  return (req, res, next) => {
    const { match, caller, headers, ip } = exchangeOf(req);
    if (match.kind === 'outside' || !caller) {
      next();
      return undefined;
    }
    const account = caller.kind === 'key' ? keyAccount(caller.key) : addressAccount(caller.address);
    const isUncounted =
      match.kind === 'options' || (caller.kind === 'address' && caller.reason === 'unchecked');
    const counting: Decision | Promise<Decision> = isUncounted
      ? limiter.peek(account)
      : limiter.consume(account);
    return whenKnown(counting, (decision) => {
      Object.assign(headers, rateLimitHeaders(decision));
      const { refusal, resetAt } = decision;
      if (!refusal) {
        next();
        return undefined;
      }
      const { code, message, retryAfter, isNewBan } = refusal;
      if (isNewBan && caller.kind === 'key') {
        bans.inc({ plan: caller.key.plan });
        onBan({ key: caller.key, address: ip, until: new Date(resetAt) });
      }
      // RFC 9110 §10.2.3: a delay in seconds, which needs no clock in common. No ApiError: there may be many refusals,
      // and to make an Error takes longer than to count.
      const delay = { 'Retry-After': String(retryAfter) };
      return replyWithError(req, res, { code, message, status: errorCodes[code], headers: delay });
    });
  };
}
