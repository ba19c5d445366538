import type { PoolClient } from 'pg';
import { changedTables, schemaRows, type PostgresSchemaRow } from '../../database/postgres/migrate.ts';
import { IMPORT_LOCK } from '../../database/postgres/postgres-import.ts';
import { tablesIn } from '../../database/migrations.ts';
import { OperatorError } from '../../operator-error.ts';

const LOCK_NOT_AVAILABLE = '55P03';

export interface TargetColumn {
  readonly name: string;
  /** Its type without a length, such as `numeric`. A domain has the type that it is based on. */
  readonly type: string;
  readonly isGenerated: boolean;
  /** The sequence that issues its values. */
  readonly sequence: string | null;
}

export interface TargetTable {
  readonly name: string;
  readonly columns: readonly TargetColumn[];
}

/**
 * Locks the tables that migrations made, until the transaction ends. Throws an OperatorError unless their rows are those
 * that the migrations left.
 */
export async function lockUnusedTables(client: PoolClient): Promise<TargetTable[]> {
  const rows = await schemaRows(client);
  const names = tablesIn(rows);
  try {
    await client.query(`SET LOCAL lock_timeout = '5s'`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
    const tables = names.map((name) => client.escapeIdentifier(name)).join(', ');
    await client.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new OperatorError('the database at DATABASE_URL is in use; nothing was moved');
  }
  const changed: string[] = [];
  for await (const name of changedTables(client, rows)) changed.push(name);
  if (changed.length > 0)
    throw new OperatorError(
      `the store at DATABASE_URL is not empty (${changed.join(', ')}): use a new database; nothing was moved`,
    );
  const tables: TargetTable[] = [];
  for (const name of names) tables.push({ name, columns: await columnsOf(client, name) });
  return tables;
}

async function columnsOf(client: PoolClient, table: string): Promise<TargetColumn[]> {
  const { rows } = await client.query<TargetColumn>(
    `SELECT attname AS name, format_type(CASE typtype WHEN 'd' THEN typbasetype ELSE pg_type.oid END, -1) AS type,
       attgenerated <> '' AS "isGenerated",
       coalesce(pg_get_serial_sequence($1, attname), (
         SELECT refobjid::regclass::text FROM pg_attrdef JOIN pg_depend ON objid = pg_attrdef.oid
         JOIN pg_class ON pg_class.oid = refobjid AND relkind = 'S'
         WHERE adrelid = attrelid AND adnum = attnum AND atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype)
       )) AS sequence
     FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [client.escapeIdentifier(table)],
  );
  return rows;
}

/**
 * Switches off what would change or reject rows on their way: triggers that migrations made, and foreign keys, which may
 * form a circle. The returned function switches them on again, and checks all foreign keys.
 */
export async function suspendSchema(client: PoolClient): Promise<() => Promise<void>> {
  // So that texts mean the same with every role.
  for (const setting of [
    `TimeZone = 'UTC'`,
    `DateStyle = 'ISO, YMD'`,
    `bytea_output = 'hex'`,
    `extra_float_digits = 1`,
  ])
    await client.query(`SET LOCAL ${setting}`);
  const rows = await schemaRows(client);
  const restoring: string[] = [];
  for (const [table, trigger, state] of await triggersOf(client, rows)) {
    if (state === 'D') continue;
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
    const mode = { R: 'ENABLE REPLICA', A: 'ENABLE ALWAYS' }[state] ?? 'ENABLE';
    restoring.push(`ALTER TABLE ${table} ${mode} TRIGGER ${trigger}`);
  }
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(pg_constraint.oid) AS definition
     FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE contype = 'f' AND conparentid = 0 AND relnamespace = current_schema()::regnamespace AND relname = ANY ($1)`,
    [tablesIn(rows)],
  );
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  const adding = keys.map(
    ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
  );
  return async () => {
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    for (const sql of [...adding, ...restoring]) await client.query(sql);
  };
}

/** The table, name and state of each trigger that migrations made. */
async function triggersOf(
  client: PoolClient,
  rows: readonly PostgresSchemaRow[],
): Promise<(readonly [string, string, string])[]> {
  const found: (readonly [string, string, string])[] = [];
  for (const { triggers } of rows)
    for (const [table, names] of Object.entries(JSON.parse(triggers) as Record<string, string[]>)) {
      const { rows: states } = await client.query<{ name: string; state: string }>(
        `SELECT quote_ident(tgname) AS name, tgenabled::text AS state FROM pg_trigger
         WHERE tgrelid = $1::regclass AND tgname = ANY ($2) AND NOT tgisinternal`,
        [client.escapeIdentifier(table), names],
      );
      for (const { name, state } of states) found.push([client.escapeIdentifier(table), name, state]);
    }
  return found;
}

/** Inserts rows, whose values are texts of PostgreSQL. */
export async function insertRows(
  client: PoolClient,
  table: string,
  columns: readonly TargetColumn[],
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  const names = columns.map(({ name }) => client.escapeIdentifier(name)).join(', ');
  const values = columns.map(({ type }, index) => `column${index}::${type}`).join(', ');
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const sent = columns.map((_, index) => `column${index}`).join(', ');
  await client.query(
    `INSERT INTO ${client.escapeIdentifier(table)} (${names}) OVERRIDING SYSTEM VALUE
     SELECT ${values} FROM unnest(${arrays}) AS sent (${sent})`,
    columns.map((_, index) => rows.map((row) => row[index])),
  );
}

/** Reads all rows back, as texts. `batch` is how many are fetched at once. */
export async function* readRows(
  client: PoolClient,
  table: string,
  columns: readonly TargetColumn[],
  batch: number,
): AsyncGenerator<(string | null)[]> {
  const texts = columns.map(({ name }) => `${client.escapeIdentifier(name)}::text`).join(', ');
  await client.query(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT ${texts} FROM ${client.escapeIdentifier(table)}`,
  );
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({
      text: `FETCH ${batch} FROM copied`,
      rowMode: 'array',
    });
    yield* rows;
    if (rows.length < batch) break;
  }
  await client.query('CLOSE copied');
}

/** Makes a column issue values above its highest ever and above `issued`. */
export async function continueSequence(
  client: PoolClient,
  table: string,
  { name, sequence }: TargetColumn,
  issued: number | undefined,
): Promise<void> {
  await client.query(
    `SELECT setval(seqrelid, highest)
     FROM pg_sequence,
       (SELECT max(${client.escapeIdentifier(name)})::bigint AS used FROM ${client.escapeIdentifier(table)}) AS ids,
       LATERAL (SELECT greatest(used, $1::bigint, pg_sequence_last_value(seqrelid)) AS highest) AS reached
     WHERE seqrelid = $2::regclass AND highest >= seqmin`,
    [issued ?? null, sequence],
  );
}
