import { migrationsFrom } from '../migrations.ts';
import type { PostgresDatabase } from './database.ts';

const MIGRATION_LOCK = 7_341_001;

/** Brings the schema up to date in one transaction under an advisory lock: of many that start at once, one does. */
export async function migratePostgres(database: PostgresDatabase): Promise<void> {
  await database.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version int NOT NULL)');
    const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version');
    const version = rows[0]?.version ?? 0;
    const missing = migrationsFrom(version, import.meta.dirname, 'the database');
    if (missing.length === 0) return;
    for (const sql of missing) await client.query(sql);
    await client.query('DELETE FROM schema_version');
    await client.query('INSERT INTO schema_version VALUES ($1)', [version + missing.length]);
  });
}
