import { createPostgresKeyStore } from '../keys/key-store.postgres.ts';
import { createPostgresOrderStore } from '../orders/order-store.postgres.ts';
import { createPostgresPetStore } from '../pets/pet-store.postgres.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { observePool } from '../metrics.ts';
import { asSetupError, SetupError } from '../setup-error.ts';
import type { Store } from './store.ts';
import {
  openPostgresDatabase,
  withShare,
  type PostgresDatabase,
  type PostgresOptions,
} from '../database/postgres/database.ts';
import { migratePostgres } from '../database/postgres/migrate.ts';

/** Opens the store at DATABASE_URL and brings its schema up to date. Throws a SetupError where that is impossible. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const database = await openMigratedDatabase(options);
  observePool(database.pool);
  return {
    // Together they leave one of the ten connections to `ping`.
    orders: createPostgresOrderStore(withShare(database, 5)),
    pets: createPostgresPetStore(withShare(database, 2)),
    keys: createPostgresKeyStore(withShare(database, 2)),
    ping: async () => {
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
    await migratePostgres(database);
  } catch (error) {
    await database.close();
    if (error instanceof SetupError) throw error;
    const { host, pathname } = new URL(options.url);
    const { cause = error } = error as { cause?: unknown };
    throw asSetupError(`cannot use the database at DATABASE_URL (${host}${pathname})`, cause);
  }
  return database;
}
