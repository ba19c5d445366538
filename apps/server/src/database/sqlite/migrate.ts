import { readMigrations, refuseNewer } from '../migrations.ts';
import type { SqliteDatabase } from './database.ts';

export const versionOf = (database: SqliteDatabase) =>
  Number(database.pragma('user_version', { simple: true }));

/** Whether the schema is the one that this program writes, and not an older one. */
export function isUpToDate(database: SqliteDatabase): boolean {
  return versionOf(database) === readMigrations(import.meta.dirname).length;
}

/** Brings the schema up to date, in one transaction under the write lock, so that starting twice at once is safe. */
export function migrate(database: SqliteDatabase): void {
  const migrations = readMigrations(import.meta.dirname);
  const upgrade = database.transaction(() => {
    const version = versionOf(database);
    refuseNewer(`the database ${database.name}`, version, migrations);
    if (version === migrations.length) return;
    for (const sql of migrations.slice(version)) database.exec(sql);
    database.pragma(`user_version = ${migrations.length}`);
  });
  upgrade.immediate();
}
