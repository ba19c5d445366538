import type { Config } from '../config.ts';
import type { PostgresOptions } from '../database/postgres/database.ts';
import type { Features, ServiceDefinition } from '../feature.ts';
import type { Store } from './store.ts';

export type OpenStoreOptions = Pick<Config, 'databaseUrl' | 'dataDir'> &
  Pick<PostgresOptions, 'onError'> & {
    readonly onPool?: (pool: { totalCount: number; idleCount: number; waitingCount: number }) => void;
    readonly handover?: number | undefined;
  };

/** Opens the configured store: PostgreSQL with a DATABASE_URL, otherwise SQLite in DATA_DIR. */
export async function openStore<Of extends Features>(
  service: ServiceDefinition<Of>,
  { databaseUrl, dataDir, ...options }: OpenStoreOptions,
): Promise<Store<Of>> {
  // Loads only the driver it needs, to keep commands fast.
  if (databaseUrl === undefined)
    return (await import('./open-sqlite-store.ts')).openSqliteStore(service, dataDir);
  const { openPostgresStore } = await import('./open-postgres-store.ts');
  return openPostgresStore(service, { url: databaseUrl, ...options });
}
