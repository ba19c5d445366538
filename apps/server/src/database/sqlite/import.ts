import { statfsSync } from 'node:fs';
import path from 'node:path';
import type { Import, ImportConflict, ImportTarget } from '../import.ts';
import { copyInChunks, hideImport, lockImports, removeUnfinished } from './import-ranges.ts';
import type { SqliteDatabase } from './database.ts';

/** How long a chunk waits for the write lock, in milliseconds. */
const BUSY_TIMEOUT = 30_000;

/** An import that stages in temporary tables. Its rows go in by chunks, and become visible together after the last of them. */
export function beginSqliteImport<Item extends { id?: number; line: number }>(
  database: SqliteDatabase,
  { table, columns }: ImportTarget<Item>,
): Import<Item> {
  const fields = Object.keys(columns).join(', ');
  const fill = Object.values(columns).map((valueOf) => (item: Item) => {
    const value = valueOf(item);
    return typeof value === 'boolean' ? Number(value) : value;
  });
  // By id, so that they go in one after the other; those without one apart, in the order of the file.
  database.exec(`CREATE TEMP TABLE staged (id INTEGER PRIMARY KEY, line INTEGER NOT NULL, ${fields});
                 CREATE TEMP TABLE unnumbered (${fields})`);
  const holes = fill.map(() => '?').join(', ');
  const stage = database.prepare(`INSERT INTO temp.staged (id, line, ${fields}) VALUES (?, ?, ${holes})`);
  const stageUnnumbered = database.prepare(`INSERT INTO temp.unnumbered (${fields}) VALUES (${holes})`);
  const stageAll = database.transaction((items: readonly Item[]) => {
    for (const item of items) {
      const values = fill.map((value) => value(item));
      if (item.id === undefined) stageUnnumbered.run(values);
      else stage.run(item.id, item.line, values);
    }
  });
  const drop = () => {
    for (const name of ['staged', 'unnumbered', 'ranges']) database.exec(`DROP TABLE IF EXISTS temp.${name}`);
  };

  async function moveAll(): Promise<void> {
    // Ids are issued above all that there have ever been, those of the file included.
    const issued = database
      .prepare<[string], number>(
        `SELECT max(coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = ?), 0),
                    coalesce((SELECT max(id) FROM temp.staged), 0))`,
      )
      .pluck()
      .get(table) as number;
    const target = { target: `main.${table}`, columns: `id, ${fields}` };
    await hideImport(database, { table, staged: 'temp.staged', issued });
    await copyInChunks(database, { source: 'temp.staged', fields: `id, ${fields}`, ...target });
    const numbered = `rowid + ${issued}, ${fields}`;
    await copyInChunks(database, { source: 'temp.unnumbered', fields: numbered, ...target });
    const show = database.transaction(() => {
      // Without a condition it takes no longer with many: there is one import at a time.
      database.exec('DELETE FROM imports; UPDATE orders_revision SET revision = revision + 1');
    });
    show.immediate();
  }

  async function commit(): Promise<ImportConflict[]> {
    const unlock = await lockImports(database);
    const usual = Number(database.pragma('busy_timeout', { simple: true }));
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
    try {
      await removeUnfinished(database);
      const conflicts = database
        .prepare<[], ImportConflict>(
          `SELECT line, id FROM temp.staged WHERE id IN (SELECT id FROM main.${table}) ORDER BY line`,
        )
        .all();
      if (conflicts.length > 0) return conflicts;
      assertRoom(database);
      await moveAll();
      return conflicts;
    } catch (error) {
      // What cannot be removed now is with the next import.
      await removeUnfinished(database).catch(() => undefined);
      throw error;
    } finally {
      database.pragma(`busy_timeout = ${usual}`);
      drop();
      unlock();
    }
  }

  return {
    stage: (items) => Promise.resolve(stageAll(items)),
    commit,
    abandon: () => Promise.resolve(drop()),
  };
}

/** Throws where the staged rows may fill the disk: on a full one they could not be taken back, nor an order cancelled. */
function assertRoom(database: SqliteDatabase): void {
  const { bavail, bsize } = statfsSync(path.dirname(database.name));
  const [pages, pageSize] = ['page_count', 'page_size'].map((each) =>
    Number(database.pragma(`temp.${each}`, { simple: true })),
  );
  // Once in the log and once in the store.
  if (bavail * bsize < 2 * (pages ?? 0) * (pageSize ?? 0))
    throw Object.assign(new Error('the disk would be full'), { code: 'ENOSPC' });
}
