import type { Contract } from '@contract-kit/core';
import { isOpen } from '@contract-kit/core/model';
import { pipelineErrors } from '@contract-kit/core/errors';
import { rateLimitHeaders } from '@contract-kit/core/http';
import type { Decision, Quota } from '@contract-kit/core/limits';
import type { RequestHandler } from 'express';
import { countedAddress } from '../http/address.ts';
import type { ActiveKey } from '../keys/key-store.ts';
import type { Metrics } from '../metrics.ts';
import { addressAccount, INVALID_KEY_QUOTA, keyAccount } from '../limits/account.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Caller } from '../keys/caller.ts';
import { requestContextOf, type Match } from './request-context.ts';
import { mapMaybeAsync } from './map-maybe-async.ts';
import { respondWithError, type Rejection } from './respond.ts';
import type { Schemes } from './schemes.ts';

/** A key that was just banned, and the request that caused it. */
export interface Ban {
  readonly key: ActiveKey;
  readonly address: string | undefined;
  readonly until: Date;
}

export interface LimitOptions {
  readonly limiter: Limiter;
  readonly schemes: Schemes;
  readonly metrics: Metrics;
  /** Undefined if only invalid keys are counted. */
  readonly anonymousQuota: Quota | undefined;
  readonly onBan: (ban: Ban) => void;
}

/**
 * Counts the request, or rejects it with 429. Does not count OPTIONS, nor a key that cannot be checked: its quota is
 * unknown, and 429 would blame the client for a store that is down.
 */
export function rateLimit({
  limiter,
  schemes,
  metrics,
  anonymousQuota,
  onBan,
}: LimitOptions): RequestHandler {
  const wordOf = ([name = '']: readonly string[]) => schemes.get(name)?.word;
  return (req, res, next) => {
    const { match, caller, headers, ip } = requestContextOf(req);
    if (match.kind === 'outside' || !caller) {
      next();
      return undefined;
    }
    const quota = anonymousQuota ?? (isGuess(match, caller) ? INVALID_KEY_QUOTA : undefined);
    if (!quota) {
      next();
      return undefined;
    }
    const account =
      caller.kind === 'key'
        ? keyAccount(caller.key, wordOf(caller.schemes))
        : addressAccount(caller.address, quota);
    const isUncounted =
      match.kind === 'options' || (caller.kind === 'address' && caller.reason === 'unchecked');
    const counting: Decision | Promise<Decision> = isUncounted
      ? limiter.peek(account)
      : limiter.consume(account);
    return mapMaybeAsync(counting, (decision) => {
      if (anonymousQuota) Object.assign(headers, rateLimitHeaders(decision));
      const { refusal, resetAt } = decision;
      if (!refusal) {
        next();
        return undefined;
      }
      if (refusal.isNewBan && caller.kind === 'key') {
        metrics.bans.inc({ plan: caller.key.plan });
        onBan({ key: caller.key, address: ip, until: new Date(resetAt) });
      }
      return respondWithError(req, res, tooManyRequests(refusal));
    });
  };
}

/** No ApiError: there may be many rejections, and creating an Error takes longer than counting. */
export function tooManyRequests({ code, message, retryAfter }: NonNullable<Decision['refusal']>): Rejection {
  // RFC 9110 §10.2.3: a delay in seconds, which needs no common clock.
  return {
    code,
    message,
    status: pipelineErrors[code].status,
    headers: { 'Retry-After': String(retryAfter) },
  };
}

/** The rate-limit headers of a client's address, which is not charged; none if the contract has no quota for it. */
export async function peekAddress(
  limiter: Limiter,
  { anonymousQuota }: Pick<Contract, 'anonymousQuota'>,
  ip: string | undefined,
): Promise<Record<string, string>> {
  if (!anonymousQuota) return {};
  return rateLimitHeaders(await limiter.peek(addressAccount(countedAddress(ip), anonymousQuota)));
}

/** Whether the key is invalid. */
function isGuess(match: Match, caller: Caller): boolean {
  const isInvalid = caller.kind === 'address' && caller.reason === 'invalid';
  return isInvalid && !(match.kind === 'operation' && isOpen(match.operation));
}
