import { statfsSync } from 'node:fs';
import path from 'node:path';
import { columnNames, rowOf, type Table } from '../columns.ts';
import { importSql, type Import, type ImportConflict } from '../import-port.ts';
import type { SqliteDatabase } from './driver.ts';
import { isConstraint } from './errors.ts';
import type { WriteQueue } from './write-queue.ts';

/** How long an import waits for the write lock, in milliseconds. */
const IMPORT_PATIENCE = 30_000;
const DROP = 'DROP TABLE IF EXISTS temp.staged';

/** Stages an import in a temporary table, then holds the write lock for one transaction. */
export async function beginSqliteImport<Item>(
  database: SqliteDatabase,
  { transaction }: WriteQueue,
  table: Table<Item>,
): Promise<Import<Item>> {
  const names = columnNames(table);
  const { conflicts, insertNumbered, insertOthers } = importSql(table);
  const onlyStaged = (work: () => void) => transaction(work, { isTemporary: true });
  await onlyStaged(() =>
    database.exec(`CREATE TEMP TABLE staged (line INTEGER PRIMARY KEY, ${names.join(', ')})`),
  );
  const values = names.map((_, index) => `$${index + 2}`);
  const insert = database.prepare(`INSERT INTO staged VALUES ($1, ${values.join(', ')})`);
  const drop = () => onlyStaged(() => database.exec(DROP));

  return {
    stage: (items) =>
      onlyStaged(() => {
        for (const item of items) insert.run([item.line, ...Object.values(rowOf(table, item))]);
      }),
    async commit() {
      const insertAll = (): void => {
        assertRoom(database);
        database.exec(insertNumbered);
        try {
          database.exec(insertOthers);
        } catch (error) {
          const [row] = database.prepare<{ last: number }>(`SELECT max(id) AS last FROM ${table.name}`).all();
          if (!isConstraint(error) || row?.last !== Number.MAX_SAFE_INTEGER) throw error;
          throw new Error('no ids are left for records without one', { cause: error });
        }
      };
      const moveAll = (): ImportConflict[] => {
        const found = database.prepare<ImportConflict>(conflicts).all();
        if (found.length === 0) insertAll();
        // With the commit: no signal is handled between the commit and its outcome.
        database.exec(DROP);
        return found;
      };
      return transaction(moveAll, { patience: IMPORT_PATIENCE }).catch(async (error: unknown) => {
        await drop();
        throw error;
      });
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
