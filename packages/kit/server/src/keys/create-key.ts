import type { Contract } from '@contract-kit/core';
import { apiKeyFormat, DEMO_KEY, digestOf, generateKeyId } from './api-key.ts';
import type { Quota } from '@contract-kit/core/limits';
import type { KeyStore } from './key-store.ts';

export interface CreateKeyOptions {
  readonly name: string;
  /** Whose the key is, for handlers. */
  readonly owner?: string | undefined;
  readonly plan: string;
  readonly now: Date;
  /** Who creates it, for the audit log; by default the service. */
  readonly actor?: string;
  /** The quota, for a custom plan. */
  readonly quota?: Quota | undefined;
  readonly scopes?: readonly string[];
  /** Whether the key is for demonstrations: only `serve --demo` accepts it. */
  readonly isDemo?: boolean;
}

/** The plan in a service without plans, which counts no requests. */
export const NO_PLAN = 'none';
export const UNLIMITED: Quota = { perMinute: 1_000_000_000, perDay: 1_000_000_000 };

/** Creates and stores a key. The result is the only copy of `key`. */
export async function createKey(
  keys: KeyStore,
  { keyPrefix, plans }: Pick<Contract, 'keyPrefix' | 'plans'>,
  {
    name,
    owner,
    plan,
    now,
    actor = 'service',
    scopes = [],
    isDemo = false,
    quota = Object.keys(plans).length === 0 ? UNLIMITED : plans[plan]?.quota,
  }: CreateKeyOptions,
): Promise<{ id: string; key: string; name: string; plan: string; quota: Quota }> {
  if (!quota) throw new Error(`the plan ${plan} needs a quota`);
  const id = generateKeyId(isDemo ? DEMO_KEY : undefined);
  const key = apiKeyFormat(keyPrefix).generate();
  await keys.insert({
    ...{ id, digest: digestOf(key), name, plan, quota, createdAt: now, scopes },
    ...(owner !== undefined && { owner }),
  });
  const at = now.toISOString();
  await keys.recordAudit({ action: 'created', keyId: id, actor, at, scopes: scopes.join(' ') });
  return { id, key, name, plan, quota };
}
