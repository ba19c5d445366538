import { featureMigrations, kitMigrations, type MigrationFolders } from '../migrations.ts';
import type { SqliteDatabase } from './database.ts';

/** The schema version, and the missing migrations. Throws an OperatorError about `what` if it is newer. */
export function schemaOf(
  database: SqliteDatabase,
  folders: MigrationFolders,
  what = `the database ${database.name}`,
) {
  const version = Number(database.pragma('user_version', { simple: true }));
  const kit = kitMigrations('sqlite', folders);
  const versions = featureVersions(database);
  const features = featureMigrations('sqlite', folders).map(([feature, { latest, after }]) => ({
    feature,
    latest,
    missing: after(versions.get(feature) ?? 0, `${what}, feature ${feature},`),
  }));
  return { version, latest: kit.latest, missing: kit.after(version, what), features };
}

/** The version of each feature. The table exists once a feature has migrations. */
function featureVersions(database: SqliteDatabase): Map<string, number> {
  const isThere = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'feature_versions'`).get();
  if (!isThere) return new Map();
  const rows = database.prepare<[], { feature: string; version: number }>('SELECT * FROM feature_versions');
  return new Map(rows.all().map(({ feature, version }) => [feature, version]));
}

/** Upgrades the schema in one transaction under the write lock, so two processes can start at once. */
export function migrate(database: SqliteDatabase, folders: MigrationFolders): void {
  const upgrade = database.transaction(() => {
    const { latest, missing, features } = schemaOf(database, folders);
    for (const sql of missing) database.exec(sql);
    if (missing.length > 0) database.pragma(`user_version = ${latest}`);
    for (const { feature, latest: version, missing: own } of features) {
      if (own.length === 0) continue;
      for (const sql of own) database.exec(sql);
      database.exec(
        'CREATE TABLE IF NOT EXISTS feature_versions (feature TEXT PRIMARY KEY, version INTEGER NOT NULL)',
      );
      database.prepare('INSERT OR REPLACE INTO feature_versions VALUES (?, ?)').run(feature, version);
    }
  });
  upgrade.immediate();
}
