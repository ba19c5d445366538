import { columnNames, itemOf, type Row } from '../../database/columns.ts';
import type { SqliteDatabase } from '../../database/sqlite/database.ts';
import type { FeatureTable, ServiceDefinition } from '../../feature.ts';
import { InvalidRecord } from '../../validation/record-schema.ts';

/** Checks every row of the features against the contract, as an import does. Throws the error from `refuse` for the first fault. */
export async function checkRecords(
  { features }: ServiceDefinition,
  database: SqliteDatabase,
  refuse: (fault: string) => Error,
): Promise<void> {
  const tables: readonly FeatureTable[] = Object.values(features).flatMap((feature) => feature.tables);
  for (const { table, loadParse } of tables) {
    const parse = await loadParse();
    const sql = `SELECT ${columnNames(table).join(', ')} FROM ${table.name}`;
    for (const row of database.prepare<[], Row>(sql).iterate()) {
      try {
        parse(itemOf(table, row));
      } catch (error) {
        if (!(error instanceof InvalidRecord)) throw error;
        throw refuse(`${table.name}, id ${String(row['id'])}: ${error.message}`);
      }
    }
  }
}
