import pg from 'pg';
import { placeOfDatabase } from '../config.ts';
import { createKeyStore } from '../keys/key-store.ts';
import type { Features, ServiceDefinition } from '../feature.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { asOperatorError, OperatorError } from '../operator-error.ts';
import { migrationsOf, openFeatures, transactionOver } from './open-features.ts';
import type { Store } from './store.ts';
import {
  MAX_CONNECTIONS,
  openPostgresDatabase,
  withShare,
  type PostgresDatabase,
  type PostgresOptions,
} from '../database/postgres/database.ts';
import { createNotices } from '../database/postgres/notices.ts';
import { migratePostgres } from '../database/postgres/migrate.ts';
import { runAlone } from '../database/postgres/run-alone.ts';
import { readOnlyError } from '../database/postgres/sqlstate.ts';
import { assertNoTransactionPooler } from '../database/postgres/pooler.ts';
import { postgresSql } from '../database/postgres/sql.ts';

const DISK_FULL = '53100';
/** The SQLSTATE class of missing or unreadable tables. */
const TABLES_AWAY = '42';
/** Uses a megabyte for a moment. */
const TAKE_ROOM = 'CREATE TEMP TABLE room ON COMMIT DROP AS SELECT generate_series(1, 30000)';

/** The most connections of one feature, so that waiting for a locked table leaves some to the others. */
const FEATURE_CONNECTIONS = MAX_CONNECTIONS / 2;
const KEY_CONNECTIONS = 2;
/** Those that look for jobs and keep their leases, and those of the transactions of runs. */
const JOB_TABLE_CONNECTIONS = 2;
const JOB_CONNECTIONS = 2;
/** How often a read of a key may renew all connections, in milliseconds: the name may lead to a standby for long. */
const RECONNECT_INTERVAL = 1_000;

export interface OpenPostgresOptions extends Omit<PostgresOptions, 'applicationName'> {
  readonly onPool?: ((pool: PostgresDatabase['pool']) => void) | undefined;
  readonly handover?: number | undefined;
}

/** Opens the store at DATABASE_URL and upgrades its schema. Throws an OperatorError if that fails. */
export async function openPostgresStore<Of extends Features>(
  service: ServiceDefinition<Of>,
  { onPool, handover, ...options }: OpenPostgresOptions,
): Promise<Store<Of>> {
  const { database, tables } = await openMigratedDatabase(service, options);
  onPool?.(database.pool);
  const readTables = `SELECT FROM ${tables.map((name) => pg.escapeIdentifier(name)).join(', ')} LIMIT 0`;
  const shared = () => postgresSql(withShare(database, FEATURE_CONNECTIONS));
  const feedDatabase = shared();
  let reconnectedAt = -Infinity;
  const reconnect = () => {
    if (performance.now() - reconnectedAt < RECONNECT_INTERVAL) return false;
    reconnectedAt = performance.now();
    database.expire();
    return true;
  };
  return {
    features: await openFeatures(service, shared),
    transaction: transactionOver(service, shared()),
    runAlone: (name, signal, work) =>
      runAlone({ ...options, handover, applicationName: service.contract.name }, name, signal, work),
    keys: createKeyStore(postgresSql(withShare(database, KEY_CONNECTIONS)), reconnect),
    jobs: postgresSql(withShare(database, JOB_TABLE_CONNECTIONS)),
    jobTransaction: transactionOver(service, postgresSql(withShare(database, JOB_CONNECTIONS))),
    responses: shared(),
    feed: {
      database: feedDatabase,
      notices: createNotices('contract_kit_feed', feedDatabase.query, {
        ...options,
        applicationName: service.contract.name,
      }),
    },
    ping: async (fault) => {
      const { code = '' } = (fault ?? {}) as { code?: string };
      // Only then: a locked table is no reason to send no requests.
      if (code.startsWith(TABLES_AWAY)) await database.query(readTables);
      // Small rows fit into existing pages: only a large write shows that a full disk has room again.
      if (code === DISK_FULL)
        await database.query(TAKE_ROOM).catch((error: unknown) => {
          // A role without the right to create temporary tables cannot test this.
          if (error instanceof StoreUnavailable) throw error;
        });
      const [row] = await database.query<{ setting: string }>(
        `SELECT current_setting('transaction_read_only') AS setting`,
      );
      if (row?.setting !== 'on') return;
      database.expire();
      throw new StoreUnavailable(readOnlyError());
    },
    close: () => database.close(),
  };
}

/** The database of the store and its tables, for code that moves whole tables. Throws as `openPostgresStore` does. */
export async function openMigratedDatabase(
  service: ServiceDefinition,
  options: Omit<PostgresOptions, 'applicationName'>,
): Promise<{ database: PostgresDatabase; tables: string[] }> {
  const database = openPostgresDatabase({ ...options, applicationName: service.contract.name });
  try {
    await assertNoTransactionPooler(database);
    return { database, tables: await migratePostgres(database, migrationsOf(service)) };
  } catch (error) {
    await database.close();
    if (error instanceof OperatorError) throw error;
    const { cause = error } = error as { cause?: unknown };
    throw asOperatorError(`cannot use the database at DATABASE_URL (${placeOfDatabase(options.url)})`, cause);
  }
}
