import { rowOf, type Table } from '../columns.ts';
import { importSql, type Import, type ImportConflict } from '../import-port.ts';
import type { PostgresDatabase } from './database.ts';
import { throwUnavailable } from './database.ts';

/** One import at a time, so that each sees the ids of the others. */
export const IMPORT_LOCK = 7_341_002;

/** Stages an import in a temporary table on one connection, and moves it in one transaction. */
export async function beginPostgresImport<Item>(
  database: PostgresDatabase,
  table: Table<Item>,
): Promise<Import<Item>> {
  const { name } = table;
  const { conflicts, insertNumbered, insertOthers } = importSql(table);
  const client = await database.connect();
  const query = (sql: string, values: unknown[] = []) => client.query(sql, values).catch(throwUnavailable);
  try {
    await query('SET statement_timeout = 0');
    await query(`CREATE TEMP TABLE staged AS SELECT 0::int AS line, * FROM ${name} WITH NO DATA`);
  } catch (error) {
    // An unreleased connection would keep the service from stopping.
    client.release(true);
    throw error;
  }

  return {
    async stage(items) {
      const rows = items.map((item) => ({ ...rowOf(table, item), line: item.line }));
      await query('INSERT INTO staged SELECT * FROM json_populate_recordset(NULL::staged, $1)', [
        JSON.stringify(rows),
      ]);
    },
    async commit(deciding) {
      try {
        await query('BEGIN');
        await query('SELECT pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
        const { rows } = await query(conflicts);
        if (rows.length === 0) {
          await query(insertNumbered);
          await query(continueIdsSql(name));
          await query(insertOthers);
          deciding?.();
        }
        await query('COMMIT');
        return rows as ImportConflict[];
      } finally {
        // Closing the connection ends the transaction and the temporary table in any state.
        client.release(true);
      }
    },
    abandon() {
      client.release(true);
      return Promise.resolve();
    },
  };
}

/** Makes the table issue ids above its highest ever and above `issued`, the highest of another store. */
export function continueIdsSql(table: string, issued = 0): string {
  return `SELECT setval(pg_get_serial_sequence('${table}', 'id'), highest)
          FROM (SELECT greatest(max(id), ${issued}) AS highest FROM ${table}) AS ids, ${table}_id_seq AS issued
          WHERE highest > issued.last_value OR (highest = issued.last_value AND NOT issued.is_called)`;
}
