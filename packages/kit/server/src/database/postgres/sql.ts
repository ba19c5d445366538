import { asConstraintError } from '../constraint-error.ts';
import { createLists } from '../lists.ts';
import { oncePerTurn } from '../once-per-turn.ts';
import type { Database } from '../sql.ts';
import { TIMED, type PostgresDatabase } from './database.ts';
import { beginPostgresImport } from './postgres-import.ts';

export function postgresSql(database: PostgresDatabase): Database {
  const { query } = database;
  return {
    engine: 'postgres',
    query,
    async transaction(work) {
      /** The errors of statements. Another one, which `work` throws, says nothing about the database. */
      const failures = new Set<unknown>();
      const own: { error?: unknown } = {};
      const running = database.transaction(async (client) => {
        const queryInside = async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
          const statement = client.query({ text: sql, values: [...values], ...TIMED });
          const { rows } = await statement.catch((error: unknown) => {
            const known = asConstraintError(error);
            failures.add(known);
            throw known;
          });
          return rows as Row[];
        };
        try {
          return await work(queryInside);
        } catch (error) {
          if (!failures.has(error)) own.error = error;
          throw error;
        }
      });
      return running.catch((error: unknown) => {
        throw own.error ?? error;
      });
    },
    beginImport: (table) => beginPostgresImport(database, table),
    list: createLists({ engine: 'postgres', query, together: oncePerTurn }),
  };
}
