import { openDatabase } from '../database/sqlite/database.ts';
import type { Counters } from './windows.ts';

/** Where the embedded limiter keeps its counters. Apart from the store, so that neither waits for the other. */
export interface CountersFile {
  load(): Iterable<readonly [id: string, Counters]>;
  /** Writes the counters of each id, all or none; undefined removes them. */
  save(entries: readonly (readonly [id: string, Counters | undefined])[]): void;
  close(): void;
}

/** Keeps nothing, for a limiter that only steps in. */
export const noCountersFile: CountersFile = { load: () => [], save: () => {}, close: () => {} };

const COLUMNS = [
  'minuteStart',
  'minuteCount',
  'dayStart',
  'dayCount',
  'refusalStart',
  'refusalCount',
  'banUntil',
  'banGeneration',
] as const satisfies readonly (keyof Counters)[];

export function openCountersFile(path: string): CountersFile {
  // Losing the last moments in a power cut is within the promise, so commits need not wait for the disk.
  const database = openDatabase(path, { synchronous: 'NORMAL' });
  database.exec(
    `CREATE TABLE IF NOT EXISTS counters (
       account TEXT PRIMARY KEY,
       ${COLUMNS.map((column) => `${column} INTEGER NOT NULL`).join(', ')}
     ) WITHOUT ROWID`,
  );
  // The name that the column had in files written before.
  const isOld = database.prepare("SELECT 1 FROM pragma_table_info('counters') WHERE name = 'unbans'").get();
  if (isOld) database.exec('ALTER TABLE counters RENAME COLUMN unbans TO banGeneration');
  const all = database.prepare<[], Counters & { account: string }>('SELECT * FROM counters');
  const put = database.prepare(
    `INSERT OR REPLACE INTO counters (account, ${COLUMNS.join(', ')})
     VALUES (@account, ${COLUMNS.map((column) => `@${column}`).join(', ')})`,
  );
  const drop = database.prepare('DELETE FROM counters WHERE account = ?');
  const saveAll = database.transaction((entries: readonly (readonly [string, Counters | undefined])[]) => {
    for (const [account, counters] of entries) {
      if (counters) put.run({ account, ...counters });
      else drop.run(account);
    }
  });
  return {
    *load() {
      for (const { account, ...counters } of all.all()) yield [account, counters];
    },
    save: (entries) => {
      saveAll.immediate(entries);
    },
    close: () => {
      database.close();
    },
  };
}
