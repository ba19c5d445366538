import type { Import, ImportConflict } from '../import.ts';
import { CHUNK, inChunks, lockImports, removeUnfinished } from './ceiling.ts';
import type { SqliteDatabase } from './database.ts';

type Value = string | number | null;

export interface ImportTarget<Item> {
  readonly table: string;
  /** How each column other than the id is filled. */
  readonly columns: Readonly<Record<string, (item: Item) => Value>>;
}

/** How long a chunk waits for the write lock, in milliseconds. */
const BUSY_TIMEOUT = 30_000;

/**
 * An import that stages in a temporary table. Rows above those of the store go in by chunks, and become visible together
 * with the last of them; rows whose ids lie between those of the store go in at once, at the end.
 */
export function beginSqliteImport<Item extends { id?: number; line: number }>(
  database: SqliteDatabase,
  { table, columns }: ImportTarget<Item>,
): Import<Item> {
  const fields = Object.keys(columns).join(', ');
  const fill = Object.values(columns);
  database.exec(`CREATE TEMP TABLE staged (line INTEGER NOT NULL, id INTEGER, ${fields})`);
  const insert = database.prepare(
    `INSERT INTO temp.staged (line, id, ${fields}) VALUES (?, ?, ${fill.map(() => '?').join(', ')})`,
  );
  const insertAll = database.transaction((items: readonly Item[]) => {
    for (const item of items) insert.run(item.line, item.id ?? null, ...fill.map((value) => value(item)));
  });
  const drop = () =>
    void database.exec('DROP TABLE IF EXISTS temp.staged; DROP TABLE IF EXISTS temp.ordered');

  async function moveAll(): Promise<void> {
    // Rows with an id of their own go first, so that ids issued to the others start above all of them.
    database.exec(
      `CREATE TEMP TABLE ordered AS
       SELECT id, ${fields} FROM temp.staged ORDER BY id IS NULL, id, rowid`,
    );
    const number = (sql: string) => Number(database.prepare(sql).pluck().get());
    const ceiling = number(`SELECT coalesce(max(id), 0) FROM main.${table}`);
    const last = number('SELECT coalesce(max(rowid), 0) FROM temp.ordered');
    const between = number(`SELECT count(*) FROM temp.ordered WHERE id <= ${ceiling}`);
    const move = database.prepare(
      `INSERT INTO main.${table} (id, ${fields})
       SELECT id, ${fields} FROM temp.ordered WHERE rowid > ? AND rowid <= ? ORDER BY rowid`,
    );
    let done = between;
    if (last - between > CHUNK) {
      database.prepare('INSERT INTO imports VALUES (?, ?)').run(table, ceiling);
      await inChunks(database, () => {
        const next = Math.min(done + CHUNK, last);
        move.run(done, next);
        done = next;
        return done < last;
      });
    }
    const finish = database.transaction(() => {
      move.run(0, between);
      move.run(done, last);
      database.prepare('DELETE FROM imports WHERE name = ?').run(table);
    });
    finish.immediate();
  }

  async function commit(): Promise<ImportConflict[]> {
    const unlock = await lockImports(database);
    const usual = Number(database.pragma('busy_timeout', { simple: true }));
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
    try {
      await removeUnfinished(database);
      const conflicts = database
        .prepare<[], ImportConflict>(
          `SELECT line, id FROM temp.staged WHERE id IN (SELECT id FROM main.${table}) ORDER BY rowid`,
        )
        .all();
      if (conflicts.length === 0) await moveAll();
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
    stage: (items) => Promise.resolve(insertAll(items)),
    commit,
    abandon: () => Promise.resolve(drop()),
  };
}
