import type { Quota } from '@kit/contract/windows';
import type { Database } from '../database/sql.ts';

/** How often it is noted which keys were used, in milliseconds: once a minute per key, by all instances together. */
export const MARK_INTERVAL = 60_000;

/** A key that may be used. */
export interface ActiveKey {
  readonly id: string;
  readonly plan: string;
  readonly quota: Quota;
  /** What it may be used for, in the words of the contract. */
  readonly scopes?: readonly string[];
  /** How often the operator has lifted a ban of this key. A ban from before the last time is void. */
  readonly banEpoch: number;
}

/** What the operator sees of a key; never the key itself. */
export interface KeyRecord extends ActiveKey {
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
}

export interface NewKey extends Pick<KeyRecord, 'id' | 'name' | 'plan' | 'quota' | 'scopes'> {
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
  /** Those that a key was created with, with spaces between them. */
  readonly scopes?: string;
}

/** A key as it is stored. */
interface KeyRow {
  id: string;
  name: string;
  plan: string;
  per_minute: number;
  per_day: number;
  /** The ban generation. A column keeps the name it was released with: instances of both versions run in an upgrade. */
  unbans: number;
  /** With spaces between them (RFC 6749 §3.3). */
  scopes: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export type KeyStore = ReturnType<typeof createKeyStore>;

/** Where API keys are kept. Every method throws StoreUnavailable while the database cannot be asked. */
export function createKeyStore({ query, elementsOf, skipLocked }: Database) {
  return {
    /** Adds to the audit trail. */
    async recordAudit({ at, action, keyId, actor, scopes = '' }: AuditEvent): Promise<void> {
      const sql = 'INSERT INTO audit (at, action, key_id, actor, scopes) VALUES ($1, $2, $3, $4, $5)';
      await query(sql, [at, action, keyId, actor, scopes]);
    },
    /** The audit trail, oldest first. */
    async listAudit(): Promise<AuditEvent[]> {
      const events = await query<Required<AuditEvent>>(
        'SELECT at, action, key_id AS "keyId", actor, scopes FROM audit ORDER BY id',
      );
      return events.map(({ scopes, ...event }) => ({ ...event, ...(scopes !== '' && { scopes }) }));
    },
    async insert({ id, digest, name, plan, quota, createdAt, scopes = [] }: NewKey): Promise<void> {
      await query(
        `INSERT INTO api_keys (id, digest, name, plan, per_minute, per_day, created_at, scopes)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          ...[id, digest, name, plan, quota.perMinute, quota.perDay],
          ...[createdAt.toISOString(), scopes.join(' ')],
        ],
      );
    },
    /** The key with this SHA-256 digest, unless it is revoked. */
    async findActive(digest: string): Promise<ActiveKey | undefined> {
      const [row] = await query<KeyRow>(
        `SELECT id, plan, per_minute, per_day, unbans, scopes FROM api_keys WHERE digest = $1 AND revoked_at IS NULL`,
        [digest],
      );
      return row && activeKeyOf(row);
    },
    /** Every key, oldest first, revoked ones included. */
    async list(): Promise<KeyRecord[]> {
      const rows = await query<KeyRow>('SELECT * FROM api_keys ORDER BY created_at, id');
      return rows.map(recordOf);
    },
    /** Whether there is such a key. Revoking twice keeps the first time. */
    async revoke(id: string, at: Date): Promise<boolean> {
      const rows = await query(
        'UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING id',
        [id, at.toISOString()],
      );
      return rows.length === 1;
    },
    /** Whether there is such a key. */
    async unban(id: string): Promise<boolean> {
      const rows = await query('UPDATE api_keys SET unbans = unbans + 1 WHERE id = $1 RETURNING id', [id]);
      return rows.length === 1;
    },
    /** Notes that these keys were used at `at`, except those that were noted within MARK_INTERVAL before. */
    async markUsed(ids: readonly string[], at: Date): Promise<void> {
      // A row that is locked is being noted by another instance, whose own order of rows must not make a deadlock.
      await query(
        `UPDATE api_keys SET last_used_at = $2
         WHERE id IN (
           SELECT id FROM api_keys
           WHERE id IN (${elementsOf('$1')}) AND (last_used_at IS NULL OR last_used_at <= $3) ${skipLocked}
         )`,
        [JSON.stringify(ids), at.toISOString(), new Date(at.getTime() - MARK_INTERVAL).toISOString()],
      );
    },
  };
}

function activeKeyOf({ id, plan, per_minute, per_day, unbans, scopes }: KeyRow): ActiveKey {
  const quota = { perMinute: per_minute, perDay: per_day };
  return { id, plan, quota, ...(scopes !== '' && { scopes: scopes.split(' ') }), banEpoch: unbans };
}

function recordOf(row: KeyRow): KeyRecord {
  return {
    ...activeKeyOf(row),
    name: row.name,
    createdAt: row.created_at,
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  };
}
