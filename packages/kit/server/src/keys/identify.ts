import { errorTexts } from '@contract-kit/core/errors';
import type { IncomingMessage } from 'node:http';
import type { Plan } from '@contract-kit/core';
import type { Quota } from '@contract-kit/core/limits';
import { headerValues } from '../http/headers.ts';
import type { ApiKeyCache } from './api-key-cache.ts';
import { UNLIMITED } from './create-key.ts';
import { askProvider, InvalidToken, type TokenRequest } from './identity-provider.ts';
import type { ActiveKey, Claims } from './key-store.ts';

/** The holder of a token that is no API key of the service, such as an access token of an OAuth 2 server. */
export interface Identity {
  /** Counts requests, and stands in the log. No two holders have the same. */
  readonly id: string;
  /** Whose the holder is, for handlers as `caller.owner`; the holder's id by default. */
  readonly owner?: string;
  /** A plan of the contract; required if the contract has plans. */
  readonly plan?: string;
  /** The quota, for a custom plan. */
  readonly quota?: Quota;
  readonly scopes?: readonly string[];
  /** What handlers get as `caller.claims`. */
  readonly claims?: Claims;
  /**
   * When the token expires: then streams and other responses that last end, without asking `authenticate` again. One in the
   * past is 401. Without it, they last for as long as the service or the client wants.
   */
  readonly expiresAt?: Date | undefined;
}

/** `authenticate` of the service, with its services. */
type FindHolder = (
  token: string,
  request: TokenRequest,
) => Identity | undefined | Promise<Identity | undefined>;

/** The holder of a token that `authenticate` found. */
export interface TokenHolder {
  readonly key: ActiveKey;
  readonly isExpired: () => boolean;
}

/** A key of the service, or the holder of another token. */
export type Found = ActiveKey | TokenHolder;

type MaybeFound = Found | undefined | Promise<Found | undefined>;

/** Finds the key of a token that `req` sends by `scheme`, or who holds it. Rejects as `askProvider` does. */
export type FindKey = (token: string, scheme: string, req: IncomingMessage) => MaybeFound;

/**
 * Finds the key of a token once more, for a response that lasts. `holder` is whom `authenticate` found, which is not asked
 * again. Rejects with an InvalidToken if the token has expired, and with StoreUnavailable.
 */
export type FindKeyAgain = (token: string, holder: TokenHolder | undefined) => MaybeFound;

export interface IdentifyOptions {
  readonly plans: Readonly<Record<string, Plan>>;
  readonly authenticate?: FindHolder | undefined;
  /** The time in epoch milliseconds. */
  readonly now: () => number;
  /** Monotonic milliseconds: a clock that steps back does not prolong a response. */
  readonly monotonic: () => number;
}

/** The key in `found`. */
export const keyOf = (found: Found): ActiveKey => ('isExpired' in found ? found.key : found);

/** Looks a token up among the keys of the service first, and then asks `authenticate`. */
export function identifyBy(
  keyCache: ApiKeyCache,
  { plans, authenticate, now, monotonic }: IdentifyOptions,
): { readonly find: FindKey; readonly findAgain: FindKeyAgain } {
  const findAgain: FindKeyAgain = (token, holder) => {
    if (!holder) return keyCache.findAgain(token);
    return holder.isExpired() ? Promise.reject(new InvalidToken(errorTexts.EXPIRED_TOKEN)) : holder;
  };
  if (!authenticate) return { find: (token) => keyCache.find(token), findAgain };
  const defaultQuota = Object.keys(plans).length === 0 ? UNLIMITED : undefined;
  const ask = askProvider(authenticate);

  /** Whether a token has expired, by the clock or by the time since it was checked: whichever comes first. */
  function expiryOf({ id, expiresAt }: Identity): () => boolean {
    if (expiresAt === undefined) return () => false;
    const at = expiresAt instanceof Date ? expiresAt.getTime() : NaN;
    if (Number.isNaN(at)) throw new Error(`expiresAt of ${id} is not a valid Date`);
    const deadline = monotonic() + at - now();
    return () => now() >= at || monotonic() >= deadline;
  }

  async function find(...[token, scheme, req]: Parameters<FindKey>): Promise<Found | undefined> {
    const key = await keyCache.find(token);
    const header = (name: string) => headerValues(req, name.toLowerCase())[0];
    const identity = key ? undefined : await ask(token, { scheme, header });
    if (!identity) return key;
    const { id, owner = id, plan = '', scopes = [], claims } = identity;
    const quota = identity.quota ?? plans[plan]?.quota ?? defaultQuota;
    if (!quota) throw new Error(`${id} needs a plan of the contract, or a quota`);
    const isExpired = expiryOf(identity);
    if (isExpired()) throw new InvalidToken(errorTexts.EXPIRED_TOKEN);
    return { key: { id, owner, plan, quota, scopes, banEpoch: 0, ...(claims && { claims }) }, isExpired };
  }
  return { find, findAgain };
}
