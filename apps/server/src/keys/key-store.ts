import type { PlanId } from '@petstore/contract';
import type { Quota } from '@petstore/contract/service';

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

export interface NewKey extends Pick<KeyRecord, 'id' | 'name' | 'plan' | 'quota'> {
  readonly digest: string;
  readonly createdAt: Date;
}

/** Something that happened to a key. */
export interface AuditEvent {
  /** RFC 3339, in UTC. */
  readonly at: string;
  readonly action: 'created' | 'revoked' | 'banned' | 'unbanned';
  readonly keyId: string;
  /** The user of the operating system who typed the command, or `service`. */
  readonly actor: string;
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
  /** Adds to the audit trail. */
  note(event: AuditEvent): Promise<void>;
  /** The audit trail, oldest first. */
  trail(): Promise<AuditEvent[]>;
  /** Notes that these keys were used at `at`, except those that were noted within TOUCH_INTERVAL before. */
  touch(ids: readonly string[], at: Date): Promise<void>;
}
