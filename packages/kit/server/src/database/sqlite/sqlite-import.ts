import { statfsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { columnNames, rowOf, type Table } from '../columns.ts';
import { importSql, type Import, type ImportConflict, type Imported } from '../import-port.ts';
import type { SqliteDatabase } from './driver.ts';

/** How long an import waits for the write lock, in milliseconds. */
const BUSY_TIMEOUT = 30_000;

/** Stages an import in a temporary table, then holds the write lock for one transaction. */
export function beginSqliteImport<Item>(database: SqliteDatabase, table: Table<Item>): Import<Item> {
  const names = columnNames(table);
  const { conflicts, insertNumbered, insertOthers } = importSql(table);
  database.exec(`CREATE TEMP TABLE staged (line INTEGER PRIMARY KEY, ${names.join(', ')})`);
  const values = names.map((_, index) => `$${index + 2}`);
  const insert = database.prepare(`INSERT INTO staged VALUES ($1, ${values.join(', ')})`);

  function stageAll(items: readonly Imported<Item>[]): void {
    for (const item of items) insert.run([item.line, ...Object.values(rowOf(table, item))]);
  }

  function moveAll(): ImportConflict[] {
    const found = database.prepare<ImportConflict>(conflicts).all();
    if (found.length > 0) return found;
    assertRoom(database);
    database.exec(`${insertNumbered}; ${insertOthers}`);
    return [];
  }

  const drop = () => {
    database.exec('DROP TABLE temp.staged');
    return Promise.resolve();
  };

  return {
    // Requests can write meanwhile: a temporary table is not in the store.
    stage: (items) => Promise.resolve(database.transaction(() => stageAll(items), 'DEFERRED')),
    async commit() {
      // The insert blocks this process: handle pending signals first.
      await nextTurn();
      const defaultTimeout = Number(database.pragma('busy_timeout'));
      database.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
      try {
        return database.transaction(moveAll);
      } finally {
        database.pragma(`busy_timeout = ${defaultTimeout}`);
        await drop();
      }
    },
    abandon: drop,
  };
}

/** Throws if the staged rows may fill the disk: then no request could write. */
function assertRoom(database: SqliteDatabase): void {
  const { bavail, bsize } = statfsSync(path.dirname(database.file));
  const [pages, pageSize] = ['page_count', 'page_size'].map((name) =>
    Number(database.pragma(`temp.${name}`)),
  );
  // Once in the write-ahead log and once in the store.
  if (bavail * bsize < 2 * (pages ?? 0) * (pageSize ?? 0))
    throw Object.assign(new Error('the disk would be full'), { code: 'ENOSPC' });
}
