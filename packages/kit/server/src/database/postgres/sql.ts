import { createLists } from '../lists.ts';
import type { Database } from '../sql.ts';
import type { PostgresDatabase } from './database.ts';
import { beginPostgresImport } from './postgres-import.ts';

export function postgresSql(database: PostgresDatabase): Database {
  const { query } = database;
  return {
    engine: 'postgres',
    query,
    transaction: (work) =>
      database.transaction((client) =>
        work(async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
          const { rows } = await client.query({ text: sql, values: [...values] });
          return rows as Row[];
        }),
      ),
    beginImport: (table) => beginPostgresImport(database, table),
    list: createLists({ engine: 'postgres', query }),
  };
}
