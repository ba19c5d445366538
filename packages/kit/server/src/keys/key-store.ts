import type { Quota } from '@contract-kit/core/limits';
import type { Database, Query } from '../database/sql.ts';
import { DEMO_KEY } from './api-key.ts';

/** How often a key is marked as used, in milliseconds, by all instances together. */
export const MARK_INTERVAL = 60_000;

/**
 * What the app knows of the holder of a token, as its `authenticate` returns it. An app declares its fields by merging:
 * `declare module '@contract-kit/server' { interface Claims { tenant: string } }`.
 */
export interface Claims {}

/** A key that may be used, or the holder of another token: the `caller` of a handler. */
export interface ActiveKey {
  readonly id: string;
  /** Whose it is: the owner that was given with it, otherwise its id. A new key of the same owner has the same. */
  readonly owner: string;
  readonly plan: string;
  readonly quota: Quota;
  /** Its scopes, as named in the contract. */
  readonly scopes?: readonly string[];
  /** How often the operator has lifted a ban of this key. Earlier bans are void. */
  readonly banEpoch: number;
  /** What `authenticate` knows of the holder; a key of the service has none. */
  readonly claims?: Claims;
}

/** A key as the operator sees it; never the key itself. */
export interface KeyRecord extends Omit<ActiveKey, 'owner' | 'claims'> {
  readonly name: string;
  /** Absent if none was given. */
  readonly owner?: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
}

export interface NewKey extends Pick<KeyRecord, 'id' | 'name' | 'owner' | 'plan' | 'quota' | 'scopes'> {
  readonly digest: string;
  readonly createdAt: Date;
}

export interface AuditEvent {
  /** RFC 3339, in UTC. */
  readonly at: string;
  readonly action: 'created' | 'changed' | 'revoked' | 'banned' | 'unbanned';
  readonly keyId: string;
  /** The user of the operating system who typed the command, or `service`. */
  readonly actor: string;
  /** The scopes of a created key, separated by spaces. */
  readonly scopes?: string;
  /** What was changed, for people: `plan free → pro, …`. */
  readonly changes?: string;
}

/** What an operator may change of a key. */
export type KeySettings = Pick<KeyRecord, 'name' | 'owner' | 'plan' | 'quota' | 'scopes'>;

interface KeyRow {
  id: string;
  name: string;
  /** Empty if none was given. */
  owner: string;
  plan: string;
  per_minute: number;
  per_day: number;
  /** The ban epoch. Released columns keep their names, because both versions run during an upgrade. */
  unbans: number;
  /** Separated by spaces (RFC 6749 §3.3). */
  scopes: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export type KeyStore = ReturnType<typeof createKeyStore>;

/**
 * Stores API keys. Every method throws StoreUnavailable while the database fails. `reconnect` is called if a key was read
 * from a server that takes no writes: it may be an old primary, which never hears of a revocation. It returns whether a
 * second attempt may reach another server.
 */
export function createKeyStore({ engine, query, transaction }: Database, reconnect?: () => boolean) {
  const isReadOnly = engine === 'postgres' ? `current_setting('transaction_read_only') = 'on'` : 'false';
  async function record(run: Query, event: AuditEvent): Promise<void> {
    const { at, action, keyId, actor, scopes = '', changes = '' } = event;
    await run(
      'INSERT INTO audit (at, action, key_id, actor, scopes, changes) VALUES ($1, $2, $3, $4, $5, $6)',
      [at, action, keyId, actor, scopes, changes],
    );
  }
  return {
    recordAudit: (event: AuditEvent): Promise<void> => record(query, event),
    /** The audit log, oldest first. */
    async listAudit(): Promise<AuditEvent[]> {
      const events = await query<Required<AuditEvent>>(
        'SELECT at, action, key_id AS "keyId", actor, scopes, changes FROM audit ORDER BY id',
      );
      return events.map(({ scopes, changes, ...event }) => {
        return { ...event, ...(scopes !== '' && { scopes }), ...(changes !== '' && { changes }) };
      });
    },
    async insert({
      id,
      digest,
      name,
      owner = '',
      plan,
      quota,
      createdAt,
      scopes = [],
    }: NewKey): Promise<void> {
      await query(
        `INSERT INTO api_keys (id, digest, name, owner, plan, per_minute, per_day, created_at, scopes)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          ...[id, digest, name, owner, plan, quota.perMinute, quota.perDay],
          ...[createdAt.toISOString(), scopes.join(' ')],
        ],
      );
    },
    /** The keys with these SHA-256 digests, by digest, without revoked ones. */
    async findActive(digests: readonly string[]): Promise<ReadonlyMap<string, ActiveKey>> {
      const wanted = JSON.stringify(Object.fromEntries(digests.map((digest) => [digest, true])));
      const find = () =>
        query<KeyRow & { digest: string; isReadOnly: boolean }>(
          `SELECT digest, id, owner, plan, per_minute, per_day, unbans, scopes, ${isReadOnly} AS "isReadOnly"
           FROM api_keys WHERE digest IN (SELECT key FROM json_each($1)) AND revoked_at IS NULL`,
          [wanted],
        );
      let rows = await find();
      if (rows[0]?.isReadOnly && reconnect?.()) rows = await find();
      return new Map(rows.map((row) => [row.digest, activeKeyOf(row)]));
    },
    /** Whether there is a demonstration key, revoked ones included: then the store has demonstration data. */
    async hasDemoKey(): Promise<boolean> {
      const isDemo = `substr(id, 1, ${DEMO_KEY.length}) = '${DEMO_KEY}'`;
      return (await query(`SELECT 1 FROM api_keys WHERE ${isDemo} LIMIT 1`)).length > 0;
    },
    /** Every key, oldest first, revoked ones included. */
    async list(): Promise<KeyRecord[]> {
      const rows = await query<KeyRow>('SELECT * FROM api_keys ORDER BY created_at, id');
      return rows.map(recordOf);
    },
    /**
     * Sets the key's name, owner, plan, quota and scopes, and records `event` with it. Returns false, and changes nothing, if
     * the key is revoked, or if its settings are no longer `before`.
     */
    async change(id: string, before: KeySettings, after: KeySettings, event: AuditEvent): Promise<boolean> {
      const values = ({ name, owner = '', plan, quota, scopes = [] }: KeySettings) => {
        return [name, owner, plan, quota.perMinute, quota.perDay, scopes.join(' ')];
      };
      return transaction(async (run) => {
        const rows = await run(
          `UPDATE api_keys SET name = $2, owner = $3, plan = $4, per_minute = $5, per_day = $6, scopes = $7
           WHERE id = $1 AND revoked_at IS NULL AND name = $8 AND owner = $9
           AND plan = $10 AND per_minute = $11 AND per_day = $12 AND scopes = $13 RETURNING id`,
          [id, ...values(after), ...values(before)],
        );
        if (rows.length === 1) await record(run, event);
        return rows.length === 1;
      });
    },
    /** Returns whether the key exists. Revoking twice keeps the first time. */
    async revoke(id: string, at: Date): Promise<boolean> {
      const rows = await query(
        'UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING id',
        [id, at.toISOString()],
      );
      return rows.length === 1;
    },
    /** Returns whether the key exists. */
    async unban(id: string): Promise<boolean> {
      const rows = await query('UPDATE api_keys SET unbans = unbans + 1 WHERE id = $1 RETURNING id', [id]);
      return rows.length === 1;
    },
    /** Marks these keys as used at `at`, except those marked within MARK_INTERVAL before. */
    async markUsed(ids: readonly string[], at: Date): Promise<void> {
      // Skips locked rows: another instance is marking them, and its row order could cause a deadlock.
      const skipLocked = engine === 'postgres' ? 'FOR NO KEY UPDATE SKIP LOCKED' : '';
      const used = JSON.stringify(Object.fromEntries(ids.map((id) => [id, true])));
      await query(
        `UPDATE api_keys SET last_used_at = $2
         WHERE id IN (
           SELECT id FROM api_keys
           WHERE id IN (SELECT key FROM json_each($1)) AND (last_used_at IS NULL OR last_used_at <= $3) ${skipLocked}
         )`,
        [used, at.toISOString(), new Date(at.getTime() - MARK_INTERVAL).toISOString()],
      );
    },
  };
}

function keyOf({ id, plan, per_minute, per_day, unbans, scopes }: KeyRow): Omit<ActiveKey, 'owner'> {
  const quota = { perMinute: per_minute, perDay: per_day };
  return { id, plan, quota, ...(scopes !== '' && { scopes: scopes.split(' ') }), banEpoch: unbans };
}

const activeKeyOf = (row: KeyRow): ActiveKey => ({ ...keyOf(row), owner: row.owner || row.id });

function recordOf(row: KeyRow): KeyRecord {
  return {
    ...keyOf(row),
    name: row.name,
    ...(row.owner !== '' && { owner: row.owner }),
    createdAt: row.created_at,
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  };
}
