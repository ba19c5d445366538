import { statfsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { columnNames, rowOf, type Table } from '../columns.ts';
import type { Import, ImportConflict, Imported } from '../import-port.ts';
import type { SqliteDatabase } from './database.ts';

/** How long an import waits for the write lock, in milliseconds. */
const BUSY_TIMEOUT = 30_000;

/** Stages an import in temporary tables, then holds the write lock for one transaction. */
export function beginSqliteImport<Item extends { id?: number }>(
  database: SqliteDatabase,
  table: Table<Item>,
): Import<Item> {
  const { name } = table;
  const names = columnNames(table);
  const [all, others] = [names.join(', '), names.slice(1).join(', ')];
  // Sorted by id, so inserts are sequential. Items without an id are separate, in the order of the file.
  database.exec(`CREATE TEMP TABLE staged (id INTEGER PRIMARY KEY, ${others}, line);
                 CREATE TEMP TABLE unnumbered (${others})`);
  const values = names.slice(1).map((column) => `@${column}`);
  const stage = database.prepare(`INSERT INTO temp.staged VALUES (@id, ${values.join(', ')}, @line)`);
  const stageUnnumbered = database.prepare(`INSERT INTO temp.unnumbered VALUES (${values.join(', ')})`);
  const stageAll = database.transaction((items: readonly Imported<Item>[]) => {
    for (const item of items) {
      const row = rowOf(table, item);
      if (item.id === undefined) stageUnnumbered.run(row);
      else stage.run({ ...row, line: item.line });
    }
  });

  const moveAll = database.transaction((): ImportConflict[] => {
    const conflicts = database
      .prepare<[], ImportConflict>(
        `SELECT line, id FROM temp.staged WHERE id IN (SELECT id FROM main.${name}) ORDER BY line`,
      )
      .all();
    if (conflicts.length > 0) return conflicts;
    assertRoom(database);
    database.exec(`INSERT INTO main.${name} (${all}) SELECT ${all} FROM temp.staged ORDER BY id;
      INSERT INTO main.${name} (${others}) SELECT * FROM temp.unnumbered ORDER BY rowid`);
    return [];
  });

  const drop = () => {
    database.exec('DROP TABLE temp.staged; DROP TABLE temp.unnumbered');
    return Promise.resolve();
  };

  return {
    stage: (items) => Promise.resolve(stageAll(items)),
    async commit() {
      // The insert blocks this process: handle pending signals first.
      await nextTurn();
      const defaultTimeout = Number(database.pragma('busy_timeout', { simple: true }));
      database.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
      try {
        return moveAll.immediate();
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
  const { bavail, bsize } = statfsSync(path.dirname(database.name));
  const [pages, pageSize] = ['page_count', 'page_size'].map((name) =>
    Number(database.pragma(`temp.${name}`, { simple: true })),
  );
  // Once in the write-ahead log and once in the store.
  if (bavail * bsize < 2 * (pages ?? 0) * (pageSize ?? 0))
    throw Object.assign(new Error('the disk would be full'), { code: 'ENOSPC' });
}
