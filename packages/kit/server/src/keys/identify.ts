import type { IncomingMessage } from 'node:http';
import type { Plan } from '@contract-kit/core';
import type { Quota } from '@contract-kit/core/windows';
import { headerValues } from '../http/headers.ts';
import type { ApiKeyCache } from './api-key-cache.ts';
import { UNLIMITED } from './create-key.ts';
import { askProvider, type TokenRequest } from './identity-provider.ts';
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
}

/** `authenticate` of the service, with its services. */
type FindHolder = (
  token: string,
  request: TokenRequest,
) => Identity | undefined | Promise<Identity | undefined>;

/** Finds the key of a token that `req` sends by `scheme`, or who holds it. Rejects as `askProvider` does. */
export type FindKey = (
  token: string,
  scheme: string,
  req: IncomingMessage,
) => ReturnType<ApiKeyCache['find']>;

/** Looks a token up among the keys of the service first, and then asks `authenticate`. */
export function identifyBy(
  keyCache: ApiKeyCache,
  plans: Readonly<Record<string, Plan>>,
  authenticate?: FindHolder,
): FindKey {
  if (!authenticate) return (token) => keyCache.find(token);
  const defaultQuota = Object.keys(plans).length === 0 ? UNLIMITED : undefined;
  const ask = askProvider(authenticate);
  return async (token, scheme, req): Promise<ActiveKey | undefined> => {
    const key = await keyCache.find(token);
    const header = (name: string) => headerValues(req, name.toLowerCase())[0];
    const identity = key ? undefined : await ask(token, { scheme, header });
    if (!identity) return key;
    const { id, owner = id, plan = '', scopes = [], claims } = identity;
    const quota = identity.quota ?? plans[plan]?.quota ?? defaultQuota;
    if (!quota) throw new Error(`${id} needs a plan of the contract, or a quota`);
    return { id, owner, plan, quota, scopes, banEpoch: 0, ...(claims && { claims }) };
  };
}
