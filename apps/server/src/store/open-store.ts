import type { Config } from '../config.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions extends Pick<Config, 'databaseUrl' | 'dataDir'> {
  /** Called when an idle connection dies; the store goes on with another. */
  readonly onError: (error: Error) => void;
}

/** Opens the configured store: PostgreSQL where there is a DATABASE_URL, SQLite in DATA_DIR otherwise. */
export async function openStore({ databaseUrl, dataDir, onError }: OpenStoreOptions): Promise<Store> {
  return databaseUrl === undefined
    ? openSqliteStore(dataDir)
    : await openPostgresStore({ url: databaseUrl, onError });
}
