import type { SqliteDatabase } from '../database/sqlite/database.ts';
import { retryWhileBusy } from '../database/sqlite/retry.ts';
import { activeKeyColumns, activeKeyOf, noteableBefore, recordOf, type KeyRow } from './key-row.ts';
import type { AuditEvent, KeyStore } from './key-store.ts';

export function createSqliteKeyStore(database: SqliteDatabase): KeyStore {
  const insert = database.prepare(
    `INSERT INTO api_keys (id, digest, name, plan, per_minute, per_day, created_at)
     VALUES (@id, @digest, @name, @plan, @perMinute, @perDay, @createdAt)`,
  );
  const find = database.prepare<[string], KeyRow>(
    `SELECT ${activeKeyColumns} FROM api_keys WHERE digest = ? AND revoked_at IS NULL`,
  );
  const list = database.prepare<[], KeyRow>('SELECT * FROM api_keys ORDER BY created_at, id');
  const revoke = database.prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?');
  const unban = database.prepare('UPDATE api_keys SET unbans = unbans + 1 WHERE id = ?');
  const touch = database.prepare(
    'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)',
  );
  const touchAll = database.transaction((ids: readonly string[], at: Date) => {
    for (const id of ids) touch.run(at.toISOString(), id, noteableBefore(at));
  });

  const note = database.prepare(
    'INSERT INTO audit (at, action, key_id, actor) VALUES (@at, @action, @keyId, @actor)',
  );
  const trail = database.prepare<[], AuditEvent>(
    'SELECT at, action, key_id AS keyId, actor FROM audit ORDER BY id',
  );

  return {
    async note(event) {
      await retryWhileBusy(database, () => note.run(event));
    },
    trail: () => retryWhileBusy(database, () => trail.all()),
    async insert({ quota, createdAt, ...key }) {
      await retryWhileBusy(database, () =>
        insert.run({ ...key, ...quota, createdAt: createdAt.toISOString() }),
      );
    },
    findActive: (digest) =>
      retryWhileBusy(database, () => {
        const row = find.get(digest);
        return row && activeKeyOf(row);
      }),
    list: () => retryWhileBusy(database, () => list.all().map(recordOf)),
    revoke: (id, at) => retryWhileBusy(database, () => revoke.run(at.toISOString(), id).changes === 1),
    unban: (id) => retryWhileBusy(database, () => unban.run(id).changes === 1),
    touch: (ids, at) => retryWhileBusy(database, () => touchAll.immediate(ids, at)),
  };
}
