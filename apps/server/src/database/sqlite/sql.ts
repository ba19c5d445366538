import type { Statement } from 'better-sqlite3';
import type { SqlDatabase } from '../sql.ts';
import type { SqliteDatabase } from './database.ts';
import { beginSqliteImport } from './import.ts';
import { retryWhileBusy } from './retry.ts';

export function sqliteSql(database: SqliteDatabase): SqlDatabase {
  const statements = new Map<string, Statement>();
  return {
    query: <Row extends object>(name: string, sql: string, values: readonly unknown[] = []) =>
      retryWhileBusy(database, () => {
        const statement = statements.get(name) ?? database.prepare(sql);
        statements.set(name, statement);
        // It takes `$1` for a name.
        const named = Object.fromEntries(values.map((value, index) => [index + 1, value]));
        if (statement.reader) return statement.all(named) as Row[];
        statement.run(named);
        return [];
      }),
    beginImport: (table) => Promise.resolve(beginSqliteImport(database, table)),
    elementsOf: (json) => `SELECT value FROM json_each(${json})`,
    // One writes at a time.
    skipLocked: '',
  };
}
