import {
  madeBeforeRelease,
  missingMigrations,
  rowsAfter,
  SCHEMA_TABLE,
  type Migrations,
  type MissingMigrations,
  type SchemaRow,
} from '../migrations.ts';
import { OperatorError } from '../../operator-error.ts';
import type { SqliteDatabase } from './driver.ts';

/** Marks a file as a store of the kit: "kit1". */
const APPLICATION_ID = 0x6b697431;

export interface SqliteSchema {
  readonly rows: readonly SchemaRow[];
  readonly missing: readonly MissingMigrations[];
}

/** What the migrations made, and what is missing. Throws an OperatorError about `what` if it is no store of the service. */
export function schemaOf(
  database: SqliteDatabase,
  migrations: Migrations,
  what = `the database ${database.file}`,
): SqliteSchema {
  const tables = tableNames(database);
  const isOurs = database.pragma('application_id') === APPLICATION_ID;
  if (!isOurs && tables.length > 0)
    throw tables.includes('api_keys')
      ? madeBeforeRelease(what)
      : new OperatorError(`${what} is another kind of database, not a store of ${migrations.service}`);
  const rows = isOurs
    ? database.prepare<SchemaRow>(`SELECT * FROM ${SCHEMA_TABLE} ORDER BY rowid`).all()
    : [];
  return { rows, missing: missingMigrations('sqlite', migrations, rows, tables, what) };
}

/** Upgrades the schema in one transaction under the write lock, so two processes can start at once. */
export function migrate(database: SqliteDatabase, migrations: Migrations): void {
  // Most starts need no lock.
  if (schemaOf(database, migrations).missing.length === 0) return;
  database.transaction(() => {
    const { rows, missing } = schemaOf(database, migrations);
    if (missing.length === 0) return;
    let recorded = rows;
    for (const item of missing) {
      const before = tableNames(database);
      for (const sql of item.sql) database.exec(sql);
      recorded = rowsAfter(recorded, migrations, item, before, tableNames(database));
    }
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.exec(
      `CREATE TABLE IF NOT EXISTS ${SCHEMA_TABLE}
         (service TEXT NOT NULL, feature TEXT PRIMARY KEY, version INTEGER NOT NULL, tables TEXT NOT NULL);
       DELETE FROM ${SCHEMA_TABLE}`,
    );
    const insert = database.prepare(`INSERT INTO ${SCHEMA_TABLE} VALUES ($1, $2, $3, $4)`);
    for (const { service, feature, version, tables } of recorded)
      insert.run([service, feature, version, tables]);
  });
}

/** The names of all tables, also those that migrations did not make. */
function tableNames(database: SqliteDatabase): string[] {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
  const rows = database.prepare<{ name: string }>(sql).all();
  return rows.map(({ name }) => name).filter((name) => name !== SCHEMA_TABLE);
}
