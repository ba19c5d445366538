import { placeOfDatabase } from '../config.ts';
import { createKeyStore } from '../keys/key-store.ts';
import { createPostgresOrderStore } from '../orders/order-store.postgres.ts';
import { createPetStore } from '../pets/pet-store.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { observePool } from '../metrics.ts';
import { asSetupError, SetupError } from '../setup-error.ts';
import type { Store } from './store.ts';
import { storeTables } from './tables.ts';
import {
  MAX_CONNECTIONS,
  openPostgresDatabase,
  withShare,
  type PostgresDatabase,
  type PostgresOptions,
} from '../database/postgres/database.ts';
import { migratePostgres } from '../database/postgres/migrate.ts';
import { assertOwnConnections } from '../database/postgres/pooler.ts';
import { postgresSql } from '../database/postgres/sql.ts';

const DISK_FULL = '53100';
/** The class of SQLSTATE for tables that are not there or may not be read. */
const TABLES_AWAY = '42';
const READ_TABLES = `SELECT FROM orders_revision, ${storeTables.map(({ name }) => name).join(', ')} LIMIT 0`;
/** A megabyte, for a moment. */
const TAKE_ROOM = 'CREATE TEMP TABLE room ON COMMIT DROP AS SELECT generate_series(1, 30000)';

const PET_CONNECTIONS = 2;
const KEY_CONNECTIONS = 2;
const PING_CONNECTIONS = 1;
const ORDER_CONNECTIONS = MAX_CONNECTIONS - PET_CONNECTIONS - KEY_CONNECTIONS - PING_CONNECTIONS;

/** Opens the store at DATABASE_URL and brings its schema up to date. Throws a SetupError where that is impossible. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const database = await openMigratedDatabase(options);
  observePool(database.pool);
  return {
    orders: createPostgresOrderStore(withShare(database, ORDER_CONNECTIONS)),
    pets: createPetStore(postgresSql(withShare(database, PET_CONNECTIONS))),
    keys: createKeyStore(postgresSql(withShare(database, KEY_CONNECTIONS))),
    ping: async (fault) => {
      const { code = '' } = (fault ?? {}) as { code?: string };
      // Not otherwise: a table that is locked is no reason to send nobody.
      if (code.startsWith(TABLES_AWAY)) await database.query('tables', READ_TABLES);
      // What is small fits into pages that are there: only what takes room tells that a full disk has some again.
      if (code === DISK_FULL)
        await database.query('room', TAKE_ROOM).catch((error: unknown) => {
          // A role that may not make temporary tables learns nothing by it.
          if (error instanceof StoreUnavailable) throw error;
        });
      const [row] = await database.query<{ setting: string }>(
        'ping',
        `SELECT current_setting('transaction_read_only') AS setting`,
      );
      if (row?.setting === 'on')
        throw new StoreUnavailable(Object.assign(new Error('PostgreSQL is read-only'), { code: '25006' }));
    },
    close: () => database.close(),
  };
}

/** The database of the store itself, for what moves whole tables. Throws as `openPostgresStore` does. */
export async function openMigratedDatabase(options: PostgresOptions): Promise<PostgresDatabase> {
  const database = openPostgresDatabase(options);
  try {
    await assertOwnConnections(database);
    await migratePostgres(database);
  } catch (error) {
    await database.close();
    if (error instanceof SetupError) throw error;
    const { cause = error } = error as { cause?: unknown };
    throw asSetupError(`cannot use the database at DATABASE_URL (${placeOfDatabase(options.url)})`, cause);
  }
  return database;
}
