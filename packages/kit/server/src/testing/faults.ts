import { openSqlite } from '../database/sqlite/driver.ts';

/** Makes the embedded store in a folder fail. `storeIn` is its file. */
export function createFaults(storeIn: (dataDir: string) => string) {
  /** Renames a table of the embedded store, so that statements on it fail. Returns a function that restores it. */
  function breakTable(dataDir: string, table: string): () => void {
    const database = openSqlite(storeIn(dataDir));
    database.exec(`ALTER TABLE ${table} RENAME TO ${table}_away`);
    return () => {
      database.exec(`ALTER TABLE ${table}_away RENAME TO ${table}`);
      database.close();
    };
  }

  /** Takes the write lock of the embedded store, as another process does. Returns a function that releases it. */
  function holdWriteLock(dataDir: string): () => void {
    const database = openSqlite(storeIn(dataDir));
    database.exec('BEGIN IMMEDIATE');
    return () => void database.close();
  }

  return { breakTable, holdWriteLock };
}
