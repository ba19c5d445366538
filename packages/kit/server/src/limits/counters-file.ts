import { newCounters, type Counters } from '@contract-kit/core/limits';
import { openDatabase } from '../database/sqlite/database.ts';
import { openSqlite, type SqliteDatabase } from '../database/sqlite/driver.ts';
import { assertFilesUnchanged, snapshotInodes } from '../database/sqlite/unchanged-files.ts';

/** The counters of the embedded limiter, apart from the store, so that neither waits for the other. */
export interface CountersFile {
  load(): Iterable<readonly [id: string, Counters]>;
  /** Writes the counters of each id, all or none; undefined removes them. Throws if the file was removed. */
  save(entries: readonly (readonly [id: string, Counters | undefined])[]): void;
  close(): void;
}

/** Stores nothing, for a fallback limiter. */
export const noCountersFile: CountersFile = { load: () => [], save: () => {}, close: () => {} };

const NAMES = Object.keys(newCounters()) as (keyof Counters)[];
/** Released columns keep their names, so that an older version can read them. */
const COLUMNS = NAMES.map((name) => (name === 'banEpoch' ? 'unbans' : name));

export function openCountersFile(path: string): CountersFile {
  // A power cut may lose the last second of counts, so commits need not wait for the disk.
  const database = openDatabase(path, { synchronous: 'NORMAL' });
  try {
    return countersIn(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Reads the counters of a file, also while a service writes it. */
export function readCountersFile(path: string): (readonly [id: string, Counters])[] {
  const database = openSqlite(path, { readonly: true });
  try {
    return [...countersOf(database)];
  } finally {
    database.close();
  }
}

function* countersOf(database: SqliteDatabase): Generator<readonly [id: string, Counters]> {
  const named = NAMES.map((name, index) => `${COLUMNS[index]} AS ${name}`);
  const all = database.prepare<Counters & { account: string }>(
    `SELECT account, ${named.join(', ')} FROM counters`,
  );
  for (const { account, ...counters } of all.all()) yield [account, counters];
}

function countersIn(database: SqliteDatabase): CountersFile {
  database.exec(
    `CREATE TABLE IF NOT EXISTS counters (
       account TEXT PRIMARY KEY,
       ${COLUMNS.map((column) => `${column} INTEGER NOT NULL`).join(', ')}
     ) WITHOUT ROWID`,
  );
  const put = database.prepare(
    `INSERT OR REPLACE INTO counters (account, ${COLUMNS.join(', ')})
     VALUES ($1, ${COLUMNS.map((_, index) => `$${index + 2}`).join(', ')})`,
  );
  const drop = database.prepare('DELETE FROM counters WHERE account = $1');
  snapshotInodes(database);
  return {
    load: () => countersOf(database),
    save: (entries) => {
      database.transaction(() => {
        for (const [account, counters] of entries) {
          if (counters) put.run([account, ...NAMES.map((name) => counters[name])]);
          else drop.run([account]);
        }
      });
      assertFilesUnchanged(database);
    },
    close: () => {
      database.close();
    },
  };
}
