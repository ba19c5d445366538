import type { Database, Query } from '../sql.ts';
import { openDatabase } from './database.ts';
import type { SqliteDatabase } from './driver.ts';
import { beginSqliteImport } from './sqlite-import.ts';
import { snapshotInodes } from './unchanged-files.ts';
import { retryWhileBusy } from './retry.ts';

/** The general statements on `database`. Transactions share a second connection, opened on demand. */
export function sqliteSql(database: SqliteDatabase, busyTimeout: number): Database & { close(): void } {
  let other: SqliteDatabase | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function connection(): SqliteDatabase {
    if (other) return other;
    other = openDatabase(database.file, { synchronous: 'FULL', busyTimeout });
    snapshotInodes(other);
    return other;
  }

  async function transact<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    const own = connection();
    const run = queryOn(own);
    await retryWhileBusy(own, () => own.exec('BEGIN IMMEDIATE'));
    try {
      const result = await work(run);
      await retryWhileBusy(own, () => own.exec('COMMIT'));
      return result;
    } finally {
      if (own.inTransaction) own.exec('ROLLBACK');
    }
  }

  return {
    engine: 'sqlite',
    query: queryOn(database),
    transaction(work) {
      const result = last.then(() => transact(work));
      last = result.catch(() => undefined);
      return result;
    },
    beginImport: (table) => Promise.resolve(beginSqliteImport(database, table)),
    // SQLite allows one writer at a time.
    skipLocked: '',
    close: () => other?.close(),
  };
}

function queryOn(database: SqliteDatabase): Query {
  return <Row extends object>(sql: string, values: readonly unknown[] = []) =>
    retryWhileBusy(database, () => database.prepare<Row>(sql).all(values));
}
