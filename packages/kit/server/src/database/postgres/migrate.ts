import { featureMigrations, kitMigrations, type MigrationFolders } from '../migrations.ts';
import type { PostgresDatabase } from './database.ts';

const MIGRATION_LOCK = 7_341_001;
const WHAT = 'the database';

/** Upgrades the schema in one transaction under an advisory lock: if several start at once, one does it. */
export async function migratePostgres(database: PostgresDatabase, folders: MigrationFolders): Promise<void> {
  await database.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version int NOT NULL)');
    const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version');
    const kit = kitMigrations('postgres', folders);
    const missing = kit.after(rows[0]?.version ?? 0, WHAT);
    for (const sql of missing) await client.query(sql);
    if (missing.length > 0) {
      await client.query('DELETE FROM schema_version');
      await client.query('INSERT INTO schema_version VALUES ($1)', [kit.latest]);
    }

    const sequences = featureMigrations('postgres', folders);
    if (sequences.length === 0) return;
    await client.query(
      'CREATE TABLE IF NOT EXISTS feature_versions (feature text PRIMARY KEY, version int NOT NULL)',
    );
    for (const [feature, { latest, after }] of sequences) {
      const found = await client.query<{ version: number }>(
        'SELECT version FROM feature_versions WHERE feature = $1',
        [feature],
      );
      const own = after(found.rows[0]?.version ?? 0, `${WHAT}, feature ${feature},`);
      for (const sql of own) await client.query(sql);
      await client.query(
        'INSERT INTO feature_versions VALUES ($1, $2) ON CONFLICT (feature) DO UPDATE SET version = $2',
        [feature, latest],
      );
    }
  }, 'unlimited');
}
