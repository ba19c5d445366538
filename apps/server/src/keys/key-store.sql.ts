import type { SqlDatabase } from '../database/sql.ts';
import { activeKeyColumns, activeKeyOf, noteableBefore, recordOf, type KeyRow } from './key-row.ts';
import type { AuditEvent, KeyStore } from './key-store.ts';

export function createKeyStore({ query, elementsOf, skipLocked }: SqlDatabase): KeyStore {
  return {
    async note({ at, action, keyId, actor }) {
      await query('audit-note', 'INSERT INTO audit (at, action, key_id, actor) VALUES ($1, $2, $3, $4)', [
        at,
        action,
        keyId,
        actor,
      ]);
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
        `SELECT ${activeKeyColumns} FROM api_keys WHERE digest = $1 AND revoked_at IS NULL`,
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
        [JSON.stringify(ids), at.toISOString(), noteableBefore(at)],
      );
    },
  };
}
