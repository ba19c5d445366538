import { createPostgresKeyStore } from '../keys/key-store.postgres.ts';
import { createPostgresOrderStore } from '../orders/order-store.postgres.ts';
import { createPostgresPetStore } from '../pets/pet-store.postgres.ts';
import { observePool } from '../metrics.ts';
import { SetupError } from '../setup-error.ts';
import type { Store } from './store.ts';
import {
  openPostgresDatabase,
  type PostgresDatabase,
  type PostgresOptions,
} from '../database/postgres/database.ts';
import { migratePostgres } from '../database/postgres/migrate.ts';

/** Opens the store at DATABASE_URL and brings its schema up to date. Throws a SetupError where that is impossible. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const database = await openMigratedDatabase(options);
  observePool(database.pool);
  return {
    orders: createPostgresOrderStore(database),
    pets: createPostgresPetStore(database),
    keys: createPostgresKeyStore(database),
    ping: async () => {
      await database.query('ping', 'SELECT 1');
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
    throw new SetupError(`cannot use the database at DATABASE_URL (${host}${pathname}): ${reasonOf(cause)}`, {
      cause: error,
    });
  }
  return database;
}

function reasonOf(error: unknown): string {
  const { message, errors, code } = error as { message?: string; errors?: unknown[]; code?: string };
  // Node tries every address of a host, and reports all failures in one error without a message of its own.
  return message || errors?.map(reasonOf).join('; ') || code || String(error);
}
