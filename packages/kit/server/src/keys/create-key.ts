import { plans, type PlanId } from '@petstore/contract';
import { digestOf, generateApiKey, generateKeyId } from './api-key.ts';
import type { Quota } from '@petstore/contract/service';
import type { KeyStore } from './key-store.ts';

export interface CreateKeyOptions {
  readonly name: string;
  readonly plan: PlanId;
  readonly now: Date;
  /** Who creates it, for the audit trail; the service unless it says otherwise. */
  readonly actor?: string;
  /** The quota of a plan that has none of its own. */
  readonly quota?: Quota | undefined;
}

/** Creates and stores a key. What is returned is the only copy of `key` there will ever be. */
export async function createKey(
  keys: KeyStore,
  { name, plan, now, actor = 'service', quota = plans[plan].quota }: CreateKeyOptions,
): Promise<{ id: string; key: string; name: string; plan: PlanId; quota: Quota }> {
  if (!quota) throw new Error(`the plan ${plan} has no quota of its own`);
  const id = generateKeyId();
  const key = generateApiKey();
  await keys.insert({ id, digest: digestOf(key), name, plan, quota, createdAt: now });
  await keys.note({ action: 'created', keyId: id, actor, at: now.toISOString() });
  return { id, key, name, plan, quota };
}
