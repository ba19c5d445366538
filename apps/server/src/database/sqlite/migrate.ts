import { migrationsFrom } from '../migrations.ts';
import type { SqliteDatabase } from './database.ts';

/** The version of the schema of `database`, and what is missing in it. Throws a SetupError that names `what`. */
export function schemaOf(database: SqliteDatabase, what = `the database ${database.name}`) {
  const version = Number(database.pragma('user_version', { simple: true }));
  return { version, missing: migrationsFrom(version, import.meta.dirname, what) };
}

/** Brings the schema up to date, in one transaction under the write lock, so that starting twice at once is safe. */
export function migrate(database: SqliteDatabase): void {
  const upgrade = database.transaction(() => {
    const { version, missing } = schemaOf(database);
    for (const sql of missing) database.exec(sql);
    if (missing.length > 0) database.pragma(`user_version = ${version + missing.length}`);
  });
  upgrade.immediate();
}
