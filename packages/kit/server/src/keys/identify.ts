import type { Plan } from '@kit/contract';
import type { Quota } from '@kit/contract/windows';
import type { ApiKeyCache } from './api-key-cache.ts';
import { UNLIMITED } from './create-key.ts';
import type { ActiveKey } from './key-store.ts';

/** The holder of a token that is no API key of the service, such as an access token of an OAuth 2 server. */
export interface Identity {
  /** Counts requests, and stands in the log. No two holders have the same. */
  readonly id: string;
  /** A plan of the contract; required if the contract has plans. */
  readonly plan?: string;
  /** The quota, for a custom plan. */
  readonly quota?: Quota;
  readonly scopes?: readonly string[];
}

/**
 * The holder of `token`, which a request sends by the security scheme `scheme`; undefined if it is not valid. If it
 * throws, the request gets 500, never access.
 */
export type Authenticate = (
  token: string,
  scheme: string,
) => Identity | undefined | Promise<Identity | undefined>;

/** Finds the key of a token, or who holds it. */
export type FindKey = (token: string, scheme: string) => ReturnType<ApiKeyCache['find']>;

/** Looks a token up among the keys of the service first, and then asks `authenticate`. */
export function identifyBy(
  keyCache: ApiKeyCache,
  plans: Readonly<Record<string, Plan>>,
  authenticate?: Authenticate,
): FindKey {
  if (!authenticate) return (token) => keyCache.find(token);
  const defaultQuota = Object.keys(plans).length === 0 ? UNLIMITED : undefined;
  return async (token, scheme): Promise<ActiveKey | undefined> => {
    const key = await keyCache.find(token);
    const identity = key ? undefined : await authenticate(token, scheme);
    if (!identity) return key;
    const { id, plan = '', quota = plans[plan]?.quota ?? defaultQuota, scopes = [] } = identity;
    if (!quota) throw new Error(`${id} needs a plan of the contract, or a quota`);
    return { id, plan, quota, scopes, banEpoch: 0 };
  };
}
