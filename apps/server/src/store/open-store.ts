import type { Config } from '../config.ts';
import type { PostgresOptions } from '../database/postgres/database.ts';
import type { Store } from './store.ts';

type OpenStoreOptions = Pick<Config, 'databaseUrl' | 'dataDir'> & Pick<PostgresOptions, 'onError'>;

/** Opens the configured store: PostgreSQL where there is a DATABASE_URL, SQLite in DATA_DIR otherwise. */
export async function openStore({ databaseUrl, dataDir, onError }: OpenStoreOptions): Promise<Store> {
  // Only the driver that is used is loaded: a command is to be quick.
  if (databaseUrl === undefined) return (await import('./open-sqlite-store.ts')).openSqliteStore(dataDir);
  const { openPostgresStore } = await import('./open-postgres-store.ts');
  return openPostgresStore({ url: databaseUrl, onError });
}
