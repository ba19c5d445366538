import { linkSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesIn, makeDataDir } from '../data-dir.ts';
import { createKeyStore } from '../keys/key-store.ts';
import { createSqliteOrderStore } from '../orders/order-store.sqlite.ts';
import { createPetStore } from '../pets/pet-store.ts';
import { asSetupError, SetupError } from '../setup-error.ts';
import type { Store } from './store.ts';
import { removeLeftovers, tempName } from './temp-files.ts';
import { openDatabase, sqliteCodeOf } from '../database/sqlite/database.ts';
import { rememberFiles } from '../database/sqlite/in-place.ts';
import { migrate } from '../database/sqlite/migrate.ts';
import { retryWhileBusy } from '../database/sqlite/retry.ts';
import { sqliteSql } from '../database/sqlite/sql.ts';

/** A statement of the service waits this long for the write lock in place; then it is tried again, see retry.ts. */
const BUSY_TIMEOUT = 5;

/** Opens the store in `dataDir`, creating it where there is none. Throws a SetupError where that is impossible. */
export function openSqliteStore(dataDir: string): Store {
  const database = (() => {
    try {
      makeDataDir(dataDir);
      const file = filesIn(dataDir).store;
      const size = statSync(file, { throwIfNoEntry: false })?.size;
      if (size === 0) throw cutOff(file);
      if (size === undefined) create(file);
      const opened = openDatabase(file, { synchronous: 'FULL' });
      migrate(opened);
      opened.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
      rememberFiles(opened);
      return opened;
    } catch (error) {
      throw asSetupError(`cannot open the database in DATA_DIR ${path.resolve(dataDir)}`, error);
    }
  })();
  // That it can be written to only a commit tells, which this is, of what is there already.
  const rewrite = database.transaction(() => {
    database.pragma(`user_version = ${Number(database.pragma('user_version', { simple: true }))}`);
  });
  const sql = sqliteSql(database);
  return {
    orders: createSqliteOrderStore(database),
    pets: createPetStore(sql),
    keys: createKeyStore(sql),
    ping: () =>
      retryWhileBusy(database, () => rewrite.immediate()).catch((error: unknown) => {
        // Another process that writes, as an import does for seconds, is no reason to send nobody here.
        const { cause } = error as { cause?: unknown };
        if (!sqliteCodeOf(cause)?.startsWith('SQLITE_BUSY')) throw error;
      }),
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}

/** Makes a new store, whole or not at all. By a link, because a rename would replace one made meanwhile. */
function create(file: string): void {
  removeLeftovers(file);
  // Under a name of its own: another container, which may have a process of this number, may be at it too.
  const folder = mkdtempSync(`${tempName(file)}-`);
  try {
    const unfinished = path.join(folder, path.basename(file));
    const database = openDatabase(unfinished, { synchronous: 'FULL' });
    try {
      migrate(database);
    } finally {
      database.close();
    }
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** SQLite takes an empty file for a new database. */
function cutOff(file: string): SetupError {
  return new SetupError(
    `${file} is empty: it was cut off. Remove it and bring a backup back with \`petstore restore\`, or remove it to begin anew`,
  );
}
