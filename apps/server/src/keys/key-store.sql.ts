import type { PlanId } from '@petstore/contract';
import type { SqlDatabase } from '../database/sql.ts';
import {
  TOUCH_INTERVAL,
  type ActiveKey,
  type AuditEvent,
  type KeyRecord,
  type KeyStore,
} from './key-store.ts';

/** A key as it is stored. */
interface KeyRow {
  id: string;
  name: string;
  plan: PlanId;
  per_minute: number;
  per_day: number;
  /** The ban generation. A column keeps the name it was released with: instances of both versions run in an upgrade. */
  unbans: number;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export function createKeyStore({ query, elementsOf, skipLocked }: SqlDatabase): KeyStore {
  return {
    async note({ at, action, keyId, actor }) {
      const sql = 'INSERT INTO audit (at, action, key_id, actor) VALUES ($1, $2, $3, $4)';
      await query('audit-note', sql, [at, action, keyId, actor]);
    },
    trail: () =>
      query<AuditEvent>('audit-trail', 'SELECT at, action, key_id AS "keyId", actor FROM audit ORDER BY id'),
    async insert({ id, digest, name, plan, quota, createdAt }) {
      await query(
        'key-insert',
        `INSERT INTO api_keys (id, digest, name, plan, per_minute, per_day, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [id, digest, name, plan, quota.perMinute, quota.perDay, createdAt.toISOString()],
      );
    },
    async findActive(digest) {
      const [row] = await query<KeyRow>(
        'key-find',
        `SELECT id, plan, per_minute, per_day, unbans FROM api_keys WHERE digest = $1 AND revoked_at IS NULL`,
        [digest],
      );
      return row && activeKeyOf(row);
    },
    async list() {
      const rows = await query<KeyRow>('key-list', 'SELECT * FROM api_keys ORDER BY created_at, id');
      return rows.map(recordOf);
    },
    async revoke(id, at) {
      const rows = await query(
        'key-revoke',
        'UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING id',
        [id, at.toISOString()],
      );
      return rows.length === 1;
    },
    async unban(id) {
      const rows = await query(
        'key-unban',
        'UPDATE api_keys SET unbans = unbans + 1 WHERE id = $1 RETURNING id',
        [id],
      );
      return rows.length === 1;
    },
    async touch(ids, at) {
      // A row that is locked is being noted by another instance, whose own order of rows must not make a deadlock.
      await query(
        'key-touch',
        `UPDATE api_keys SET last_used_at = $2
         WHERE id IN (
           SELECT id FROM api_keys
           WHERE id IN (${elementsOf('$1')}) AND (last_used_at IS NULL OR last_used_at <= $3) ${skipLocked}
         )`,
        [JSON.stringify(ids), at.toISOString(), new Date(at.getTime() - TOUCH_INTERVAL).toISOString()],
      );
    },
  };
}

function activeKeyOf({ id, plan, per_minute, per_day, unbans }: KeyRow): ActiveKey {
  return { id, plan, quota: { perMinute: per_minute, perDay: per_day }, banGeneration: unbans };
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
