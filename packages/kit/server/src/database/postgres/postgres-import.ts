import { columnNames, rowOf, type Table } from '../columns.ts';
import type { Import, ImportConflict } from '../import-port.ts';
import type { PostgresDatabase } from './database.ts';
import { unavailable } from './database.ts';

/** One import at a time, so that each sees the ids of the others. */
export const IMPORT_LOCK = 7_341_002;

/** Stages an import in a temporary table on one connection, and moves it in one transaction. */
export async function beginPostgresImport<Item>(
  database: PostgresDatabase,
  table: Table<Item>,
): Promise<Import<Item>> {
  const { name } = table;
  const names = columnNames(table);
  const [all, others] = [names.join(', '), names.slice(1).join(', ')];
  const client = await database.connect();
  const query = (sql: string, values: unknown[] = []) => client.query(sql, values).catch(unavailable);
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
        const conflicts = await query(
          `SELECT line, id FROM staged WHERE id IN (SELECT id FROM ${name}) ORDER BY line`,
        );
        if (conflicts.rows.length === 0) {
          await query(`INSERT INTO ${name} (${all}) SELECT ${all} FROM staged WHERE id IS NOT NULL`);
          await query(continueIdsSql(name));
          await query(
            `INSERT INTO ${name} (${others}) SELECT ${others} FROM staged WHERE id IS NULL ORDER BY line`,
          );
          deciding?.();
        }
        await query('COMMIT');
        return conflicts.rows as ImportConflict[];
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
