import type { Contract } from '@contract-kit/core';
import { isSafe } from '@contract-kit/core/http';
import type { Model } from '@contract-kit/core/model';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { pipelineError, serviceUnavailable, type ApiError } from '../http/api-error.ts';
import type { KeyCaller } from '../keys/caller.ts';
import type { FindKeyAgain } from '../keys/identify.ts';
import type { ActiveKey } from '../keys/key-store.ts';
import { keyAccount } from '../limits/account.ts';
import type { Limiter } from '../limits/limiter.ts';
import { callerAgain } from './authenticate.ts';
import { abortSignal } from './handler-context.ts';
import { requestContextOf, type RequestContext } from './request-context.ts';
import { securityOf } from './require-security.ts';
import { schemesOf } from './schemes.ts';
import { giveUpBody } from './wait-for-body.ts';

/** How often the responses under way are listed, in milliseconds. */
const INTERVAL = 200;
/** How often a response is listed before it is looked at, unless it is being sent: most end within two seconds. */
const LISTED_BEFORE = 10;
/** How often the caller of one is looked at again, in milliseconds. */
const RECHECK = 1_000;
/** How long responses last while keys cannot be looked up, in milliseconds: a minute, less the time to notice that. */
const MOST_UNCHECKED = 55_000;
/** Bounds the memory for bans. */
const MAX_KEYS = 20_000;

export interface WatchOptions {
  readonly contract: Pick<Contract, 'name'>;
  readonly model: Model;
  /** Those under way. */
  readonly responses: () => Iterable<Response>;
  readonly findAgain: FindKeyAgain;
  readonly limiter: Limiter;
  readonly log: Logger;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
}

/** What is known of a response under way. Times are monotonic milliseconds. */
interface Watched {
  /** How often it was listed. */
  listed: number;
  /** When its caller is looked at again. */
  dueAt: number;
  /** The first of the failed looks in a row. */
  failingSince?: number | undefined;
}

/**
 * Ends responses whose callers may no longer have them, within five seconds: their key is revoked, banned, lacks a scope or
 * has another owner or plan, or their token has expired. One timer for all, and nothing for responses that end at once.
 * Returns a function that stops it.
 */
export function watchCallers(options: WatchOptions): () => void {
  const { contract, model, responses, findAgain, limiter, log, monotonic } = options;
  const schemes = schemesOf(model);
  const rejectionOf = securityOf(contract, model, schemes);
  const watched = new WeakMap<RequestContext, Watched>();
  const bans = new LRUCache<string, Promise<boolean>>({
    max: MAX_KEYS,
    ttl: RECHECK,
    ttlResolution: 0,
    perf: { now: monotonic },
  });

  async function askIsBanned(key: ActiveKey): Promise<boolean> {
    return (await limiter.peek(keyAccount(key))).isBanned === true;
  }

  /** Those of one key share a look at its ban. */
  function isBanned(key: ActiveKey): Promise<boolean> {
    let known = bans.get(key.id);
    if (!known) bans.set(key.id, (known = askIsBanned(key)));
    return known;
  }

  /** Why `caller` may no longer have `res`; undefined if it may. Rejects if that is unknown. */
  async function objectionTo({ req }: Response, caller: KeyCaller): Promise<ApiError | undefined> {
    const now = await callerAgain(req, caller, findAgain, schemes);
    if (now.kind === 'address' && now.reason === 'unchecked') throw now.cause;
    const rejection = rejectionOf(req, now);
    if (rejection) return rejection;
    // The next request gets what its key may have now.
    if (now.kind === 'address' || isOther(caller.key, now.key)) return serviceUnavailable();
    // And says how long the ban lasts.
    return (await isBanned(now.key)) ? pipelineError('api_key_banned', { 'Retry-After': '1' }) : undefined;
  }

  async function look(res: Response, caller: KeyCaller, state: Watched): Promise<void> {
    const startedAt = monotonic();
    state.dueAt = Infinity;
    try {
      const objection = await objectionTo(res, caller);
      state.failingSince = undefined;
      if (objection && !res.closed) end(res, objection);
    } catch (error) {
      state.failingSince ??= startedAt;
      if (!(error instanceof StoreUnavailable))
        log.error({ err: error }, 'a key could not be looked up again');
    }
    state.dueAt = monotonic() + RECHECK;
  }

  function lookIfDue(res: Response): void {
    const context = requestContextOf(res.req) as RequestContext | undefined;
    if (context?.caller?.kind !== 'key') return;
    // The calls of tools are looked at themselves.
    if (context.match.kind === 'outside' && !res.writableEnded) return;
    const state = watched.get(context) ?? { listed: 0, dueAt: -Infinity };
    watched.set(context, state);
    state.listed += 1;
    const isBeingSent = res.headersSent && !res.writableEnded;
    if (state.listed <= (isBeingSent ? 1 : LISTED_BEFORE)) return;
    if (state.failingSince !== undefined && monotonic() - state.failingSince > MOST_UNCHECKED)
      end(res, serviceUnavailable());
    else if (monotonic() >= state.dueAt) void look(res, context.caller, state);
  }

  const timer = setInterval(() => {
    for (const res of responses()) lookIfDue(res);
  }, INTERVAL).unref();
  return () => clearInterval(timer);
}

/** Whether a key is not what its handler has seen. A new scope takes nothing away. */
function isOther(before: ActiveKey, now: ActiveKey): boolean {
  const isLost = (scope: string) => !now.scopes?.includes(scope);
  return (
    now.id !== before.id ||
    now.owner !== before.owner ||
    now.plan !== before.plan ||
    (before.scopes ?? []).some(isLost)
  );
}

/** Ends a response early, in a way that does not look complete. */
function end(res: Response, why: ApiError): void {
  const { req } = res;
  const context = requestContextOf(req);
  if (context.interrupt && !res.writableEnded) context.interrupt(why);
  else if (res.headersSent) {
    Object.assign(context, { cutBy: why.status, errorCode: why.code });
    res.destroy();
  } else if (!context.input) {
    context.endedBy = why;
    giveUpBody(req, why);
  } else if (isSafe(req.method)) {
    context.endedBy = why;
    abortSignal(context);
  }
  // Else a handler is at work, whose effects must not be unknown to the client.
}
