import type { PlanId } from '@petstore/contract';
import type { Quota } from '../limits/limiter.ts';

/** How often it is noted which keys were used, in milliseconds: once a minute per key, by all instances together. */
export const TOUCH_INTERVAL = 60_000;

/** A key that may be used. */
export interface ActiveKey {
  readonly id: string;
  readonly plan: PlanId;
  readonly quota: Quota;
  /** How often the operator has lifted a ban of this key. A ban from before the last time is void. */
  readonly banGeneration: number;
}

/** What the operator sees of a key; never the key itself. */
export interface KeyRecord extends ActiveKey {
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
}

export interface NewKey {
  readonly id: string;
  readonly digest: string;
  readonly name: string;
  readonly plan: PlanId;
  readonly quota: Quota;
  readonly createdAt: Date;
}

/** Where API keys are kept. Every method throws StoreUnavailable while the database cannot be asked. */
export interface KeyStore {
  insert(key: NewKey): Promise<void>;
  /** The key with this SHA-256 digest, unless it is revoked. */
  findActive(digest: string): Promise<ActiveKey | undefined>;
  /** Every key, oldest first, revoked ones included. */
  list(): Promise<KeyRecord[]>;
  /** Whether there is such a key. Revoking twice keeps the first time. */
  revoke(id: string, at: Date): Promise<boolean>;
  /** Whether there is such a key. */
  unban(id: string): Promise<boolean>;
  /** Notes that these keys were used at `at`, except those that were noted within TOUCH_INTERVAL before. */
  touch(ids: readonly string[], at: Date): Promise<void>;
}
