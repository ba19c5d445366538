import type { Config } from '../config.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions extends Pick<Config, 'databaseUrl' | 'dataDir'> {
  /** Called when an idle connection dies; the store goes on with another. */
  readonly onError: (error: Error) => void;
}

/** Opens the configured store: PostgreSQL where there is a DATABASE_URL, SQLite in DATA_DIR otherwise. */
export async function openStore({ databaseUrl, dataDir, onError }: OpenStoreOptions): Promise<Store> {
  // Only the driver that is used is loaded: a command is to be quick.
  if (databaseUrl === undefined) return (await import('./open-sqlite-store.ts')).openSqliteStore(dataDir);
  const { openPostgresStore } = await import('./open-postgres-store.ts');
  return openPostgresStore({ url: databaseUrl, onError });
}
