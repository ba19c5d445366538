import type { Import, ImportConflict } from '../import.ts';
import type { SqliteDatabase } from './database.ts';

type Value = string | number | null;

export interface ImportTarget<Item> {
  readonly table: string;
  /** How each column other than the id is filled. */
  readonly columns: Readonly<Record<string, (item: Item) => Value>>;
}

/** An import that stages in a temporary table and takes the write lock for the last step alone. */
export function beginSqliteImport<Item extends { id?: number; line: number }>(
  database: SqliteDatabase,
  { table, columns }: ImportTarget<Item>,
): Import<Item> {
  const names = Object.keys(columns);
  const fill = Object.values(columns);
  database.exec(`CREATE TEMP TABLE staged (line INTEGER NOT NULL, id INTEGER, ${names.join(', ')})`);
  const insert = database.prepare(
    `INSERT INTO temp.staged (line, id, ${names.join(', ')}) VALUES (?, ?, ${names.map(() => '?').join(', ')})`,
  );
  const insertAll = database.transaction((items: readonly Item[]) => {
    for (const item of items) insert.run(item.line, item.id ?? null, ...fill.map((value) => value(item)));
  });
  const conflicts = database.prepare<[], ImportConflict>(
    `SELECT line, id FROM temp.staged WHERE id IN (SELECT id FROM main.${table}) ORDER BY rowid`,
  );
  // Rows with an id of their own go first, so that ids issued to the others start above all of them.
  const move = database.prepare(
    `INSERT INTO main.${table} (id, ${names.join(', ')})
     SELECT id, ${names.join(', ')} FROM temp.staged ORDER BY id IS NULL, id, rowid`,
  );
  const moveAll = database.transaction((): ImportConflict[] => {
    const found = conflicts.all();
    if (found.length === 0) move.run();
    return found;
  });
  const drop = (): void => {
    database.exec('DROP TABLE temp.staged');
  };
  return {
    stage: (items) => Promise.resolve(insertAll(items)),
    commit: () => {
      const usual = Number(database.pragma('busy_timeout', { simple: true }));
      database.pragma('busy_timeout = 30000');
      try {
        return Promise.resolve(moveAll.immediate());
      } finally {
        database.pragma(`busy_timeout = ${usual}`);
        drop();
      }
    },
    abandon: () => Promise.resolve(drop()),
  };
}
