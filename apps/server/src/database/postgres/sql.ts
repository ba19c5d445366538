import type { SqlDatabase } from '../sql.ts';
import type { PostgresDatabase } from './database.ts';
import { beginPostgresImport } from './import.ts';

export function postgresSql(database: PostgresDatabase): SqlDatabase {
  return {
    query: database.query,
    beginImport: (table) => beginPostgresImport(database, table),
    elementsOf: (json) => `SELECT json_array_elements_text(${json})`,
    skipLocked: 'FOR NO KEY UPDATE SKIP LOCKED',
  };
}
