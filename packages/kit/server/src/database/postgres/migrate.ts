import type { PoolClient } from 'pg';
import {
  madeBeforeRelease,
  missingMigrations,
  rowsAfter,
  SCHEMA_TABLE,
  tablesIn,
  type Migrations,
  type SchemaRow,
} from '../migrations.ts';
import type { PostgresDatabase } from './database.ts';

const MIGRATION_LOCK = 7_341_001;
const WHAT = 'the database at DATABASE_URL';

/** A row of SCHEMA_TABLE in PostgreSQL, which also records how the migrations left its tables. */
export interface PostgresSchemaRow extends SchemaRow {
  /** The triggers that migrations made on each table, as JSON. */
  readonly triggers: string;
  /** The digest of each table's rows after the migrations, as JSON. Empty if it already had other rows. */
  readonly seed: string;
}

/**
 * Upgrades the schema in one transaction under an advisory lock: if several start at once, one does it. Resolves to the
 * names of all tables that migrations made.
 */
export async function migratePostgres(database: PostgresDatabase, migrations: Migrations): Promise<string[]> {
  return database.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const existing = await tableNames(client);
    if (!existing.includes(SCHEMA_TABLE) && existing.includes('schema_version'))
      throw madeBeforeRelease(WHAT);
    const rows = existing.includes(SCHEMA_TABLE) ? await schemaRows(client) : [];
    const missing = missingMigrations('postgres', migrations, rows, existing, WHAT);
    if (missing.length === 0) return tablesIn(rows);

    // The first changed table is enough: a large one takes long.
    const isUnused = (await changedTables(client, rows).next()).done;
    let recorded: readonly SchemaRow[] = rows;
    for (const item of missing) {
      const before = await tableNames(client);
      for (const sql of item.sql) await client.query(sql);
      recorded = rowsAfter(recorded, migrations, item, before, await tableNames(client));
    }
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${SCHEMA_TABLE} (service text NOT NULL, feature text PRIMARY KEY,
         version int NOT NULL, tables text NOT NULL, triggers text NOT NULL, seed text NOT NULL)`,
    );
    await client.query(`DELETE FROM ${SCHEMA_TABLE}`);
    for (const { service, feature, version, tables } of recorded) {
      const names = JSON.parse(tables) as string[];
      const triggers = JSON.stringify(await triggersOf(client, names));
      const seed: Record<string, string> = {};
      if (isUnused) for (const name of names) seed[name] = await digestOf(client, name);
      const values = [service, feature, version, tables, triggers, JSON.stringify(seed)];
      await client.query(`INSERT INTO ${SCHEMA_TABLE} VALUES ($1, $2, $3, $4, $5, $6)`, values);
    }
    return tablesIn(recorded);
  }, 'unlimited');
}

/** What the migrations made, the kit's first. */
export async function schemaRows(client: PoolClient): Promise<PostgresSchemaRow[]> {
  const { rows } = await client.query<PostgresSchemaRow>(
    `SELECT * FROM ${SCHEMA_TABLE} ORDER BY feature <> '', feature`,
  );
  return rows;
}

/** The tables whose rows are not those that the migrations left. */
export async function* changedTables(
  client: PoolClient,
  rows: readonly PostgresSchemaRow[],
): AsyncGenerator<string, undefined> {
  for (const row of rows) {
    const seed = JSON.parse(row.seed) as Record<string, string>;
    for (const name of tablesIn([row])) if ((await digestOf(client, name)) !== seed[name]) yield name;
  }
}

/** The user's triggers on each table, by name. */
async function triggersOf(client: PoolClient, tables: readonly string[]): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ table: string; triggers: string[] }>(
    `SELECT relname AS table, array_agg(tgname::text ORDER BY tgname) AS triggers
     FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
     WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1) AND NOT tgisinternal
     GROUP BY relname`,
    [tables],
  );
  return Object.fromEntries(rows.map(({ table, triggers }) => [table, triggers]));
}

/** A digest of all rows of a table. */
async function digestOf(client: PoolClient, name: string): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(
    `SELECT md5(coalesce(string_agg(md5(stored::text), '' ORDER BY md5(stored::text)), '')) AS digest
       FROM ${client.escapeIdentifier(name)} AS stored`,
  );
  return rows[0]?.digest ?? '';
}

/** The names of all tables, also those that migrations did not make. */
async function tableNames(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY oid`,
  );
  return rows.map(({ name }) => name);
}
