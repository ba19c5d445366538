import { plans, type PlanId } from '@petstore/contract';
import { digestOf, generateApiKey, generateKeyId } from './api-key.ts';
import type { Quota } from '../limits/limiter.ts';
import type { KeyStore } from './key-store.ts';

export interface CreateKeyOptions {
  readonly name: string;
  readonly plan: PlanId;
  readonly now: Date;
  /** The quota of a plan that has none of its own. */
  readonly quota?: Quota | undefined;
}

/** Creates and stores a key. What is returned is the only copy of `key` there will ever be. */
export async function createKey(
  keys: KeyStore,
  { name, plan, now, quota = plans[plan].quota }: CreateKeyOptions,
): Promise<{ id: string; key: string; name: string; plan: PlanId; quota: Quota }> {
  if (!quota) throw new Error(`the plan ${plan} has no quota of its own`);
  const id = generateKeyId();
  const key = generateApiKey();
  await keys.insert({ id, digest: digestOf(key), name, plan, quota, createdAt: now });
  return { id, key, name, plan, quota };
}
