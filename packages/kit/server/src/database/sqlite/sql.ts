import { LRUCache } from 'lru-cache';
import { createLists } from '../lists.ts';
import type { Database, Query } from '../sql.ts';
import { openDatabase } from './database.ts';
import { sqliteCodeOf, type SqliteDatabase } from './driver.ts';
import { asStoreError } from './errors.ts';
import { beginSqliteImport } from './sqlite-import.ts';
import { createReadQueue } from './read-queue.ts';
import { snapshotInodes } from './unchanged-files.ts';
import { createWriteQueue, type WriteQueue } from './write-queue.ts';

/** How many statements are remembered. */
const MOST_STATEMENTS = 1_000;

/** The database port on `writer`, for writes, and on a separate connection for reads, which nothing delays. */
export function sqliteSql(writer: SqliteDatabase): Database & { write: WriteQueue['write']; close(): void } {
  const reader = openDatabase(writer.file, { synchronous: 'FULL', busyTimeout: 0 });
  reader.pragma('query_only = ON');
  snapshotInodes(reader);
  const { read, turn, together } = createReadQueue(reader);
  const queue = createWriteQueue(writer, turn);
  /** The statements that write. A service may write its SQL anew for each request. */
  const writing = new LRUCache<string, true>({ max: MOST_STATEMENTS });

  async function query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (!writing.has(sql)) {
      const rows = await read(() => readUnlessWriting<Row>(sql, values));
      if (rows) return rows;
      writing.set(sql, true);
    }
    return queue.write(() => writer.prepare<Row>(sql).all(values));
  }

  /** Undefined if the statement writes: then this connection has rejected it before any change. */
  function readUnlessWriting<Row extends object>(sql: string, values: readonly unknown[]): Row[] | undefined {
    try {
      return reader.prepare<Row>(sql).all(values);
    } catch (error) {
      if (sqliteCodeOf(error) === 'SQLITE_READONLY') return undefined;
      throw error;
    }
  }

  function transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return queue.transaction(async () => {
      let isOver = false;
      const own = <Row extends object>(sql: string, values: readonly unknown[] = []): Row[] => {
        if (isOver || !writer.inTransaction)
          throw new Error('the transaction has ended: its query cannot be used any more');
        try {
          return writer.prepare<Row>(sql).all(values);
        } catch (error) {
          throw asStoreError(error);
        }
      };
      try {
        return await work((sql, values) => new Promise((resolve) => resolve(own(sql, values))));
      } finally {
        isOver = true;
      }
    });
  }

  return {
    engine: 'sqlite',
    query,
    transaction,
    list: createLists({ engine: 'sqlite', query, together }),
    beginImport: (table) => beginSqliteImport(writer, queue, table),
    write: queue.write,
    close: () => reader.close(),
  };
}
