import { linkSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesIn, giveToOwner, makeDataDir } from '../data-dir.ts';
import { createKeyStore } from '../keys/key-store.ts';
import type { Features, ServiceDefinition } from '../feature.ts';
import { asOperatorError, OperatorError } from '../operator-error.ts';
import { migrationsOf, openFeatures, transactionOver } from './open-features.ts';
import type { Store } from './store.ts';
import { openDatabase } from '../database/sqlite/database.ts';
import { openSqlite, releaseFiles, sqliteCodeOf } from '../database/sqlite/driver.ts';
import type { Migrations } from '../database/migrations.ts';
import { snapshotInodes } from '../database/sqlite/unchanged-files.ts';
import { refuseLeftLog } from '../database/sqlite/left-log.ts';
import { migrate } from '../database/sqlite/migrate.ts';
import { sqliteSql } from '../database/sqlite/sql.ts';

/** How long a statement waits for a lock before it is tried again in a later turn, in milliseconds. */
const BUSY_TIMEOUT = 0;

/** Opens or creates the store in `dataDir`. Throws an OperatorError if that fails. */
export async function openSqliteStore<Of extends Features>(
  service: ServiceDefinition<Of>,
  dataDir: string,
): Promise<Store<Of>> {
  const migrations = migrationsOf(service);
  const { database, sql } = (() => {
    try {
      makeDataDir(dataDir);
      const file = filesIn(dataDir, service.contract.databaseFile).store;
      const size = statSync(file, { throwIfNoEntry: false })?.size;
      if (size === 0) throw cutOff(file, service.contract.name);
      refuseLeftLog(file);
      if (size === undefined) create(file, migrations);
      const opened = openDatabase(file, { synchronous: 'FULL' });
      migrate(opened, migrations);
      opened.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
      snapshotInodes(opened);
      return { database: opened, sql: sqliteSql(opened) };
    } catch (error) {
      throw asOperatorError(`cannot open the database in DATA_DIR ${path.resolve(dataDir)}`, error);
    }
  })();
  // Only a commit shows that it can be written. This one commits existing values.
  const rewrite = () => database.pragma(`user_version = ${Number(database.pragma('user_version'))}`);
  const transaction = transactionOver(service, sql);
  return {
    features: await openFeatures(service, () => sql),
    transaction,
    jobs: sql,
    jobTransaction: transaction,
    // One process serves a folder at a time.
    runAlone: (_name, signal, work) => work(signal, () => Promise.resolve()),
    keys: createKeyStore(sql),
    responses: sql,
    feed: { database: sql },
    ping: () =>
      sql
        .write(() => void rewrite())
        .catch((error: unknown) => {
          // Another process may write for seconds, as an import does: still send requests here.
          const { cause } = error as { cause?: unknown };
          if (sqliteCodeOf(cause) !== 'SQLITE_BUSY') throw error;
        }),
    close: () => {
      sql.close();
      database.close();
      return releaseFiles();
    },
  };
}

/** Creates a complete new store or none. Uses a link, because a rename would replace a store created meanwhile. */
function create(file: string, migrations: Migrations): void {
  const folder = mkdtempSync(`${file}.partial-`);
  try {
    const unfinished = path.join(folder, path.basename(file));
    // Without a write-ahead log, whose name would be that of this folder.
    const database = openSqlite(unfinished);
    try {
      migrate(database, migrations);
    } finally {
      database.close();
    }
    giveToOwner(unfinished, path.dirname(file));
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** SQLite treats an empty file as a new database. */
function cutOff(file: string, command: string): OperatorError {
  return new OperatorError(
    `${file} is empty: it was truncated. Remove it and restore a backup with \`${command} restore\`, or remove it to start a new store`,
  );
}
