import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from '../data-dir.ts';
import { createSqliteKeyStore } from '../keys/key-store.sqlite.ts';
import { createSqliteOrderStore } from '../orders/order-store.sqlite.ts';
import { createSqlitePetStore } from '../pets/pet-store.sqlite.ts';
import { asSetupError } from '../setup-error.ts';
import type { Store } from './store.ts';
import { openDatabase } from '../database/sqlite/database.ts';
import { migrate } from '../database/sqlite/migrate.ts';
import { retryWhileBusy } from '../database/sqlite/retry.ts';

/** A statement of the service waits this long for the write lock in place; then it is tried again, see retry.ts. */
const BUSY_TIMEOUT = 5;

/** Opens the store in `dataDir`, creating it where there is none. Throws a SetupError where that is impossible. */
export function openSqliteStore(dataDir: string): Store {
  const database = (() => {
    try {
      mkdirSync(dataDir, { recursive: true });
      const opened = openDatabase(filesIn(dataDir).store, { synchronous: 'FULL' });
      migrate(opened);
      opened.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
      return opened;
    } catch (error) {
      throw asSetupError(`cannot open the database in DATA_DIR ${path.resolve(dataDir)}`, error);
    }
  })();
  const ping = database.prepare('SELECT count(*) FROM sqlite_schema');
  return {
    orders: createSqliteOrderStore(database),
    pets: createSqlitePetStore(database),
    keys: createSqliteKeyStore(database),
    ping: () => retryWhileBusy(() => void ping.get()),
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}
