import pg, { type PoolClient } from 'pg';
import { StoreUnavailable } from '../store-unavailable.ts';
import { SetupError } from '../../setup-error.ts';

/** The instances of a service share a server's connections: each takes a few and queues for them. */
const MAX_CONNECTIONS = 10;
/** How long a request waits for a connection, and for a statement; in milliseconds. */
const CONNECTION_TIMEOUT = 2_000;
const STATEMENT_TIMEOUT = 5_000;
const IDLE_TIMEOUT = 30_000;

// Ids and counts stay below 2^53, so that int8 need not arrive as text.
const INT8 = 20;
pg.types.setTypeParser(INT8, Number);

export interface PostgresDatabase {
  /** Runs a statement that is prepared once per connection under `name`. Throws StoreUnavailable. */
  query<Row extends object>(name: string, sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs `work` in one transaction on one connection, however long it takes. Throws StoreUnavailable. */
  transaction<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result>;
  /** A connection of one's own, to be released by `release`. Throws StoreUnavailable. */
  connect(): Promise<PoolClient>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface PostgresOptions {
  readonly url: string;
  /** Called when an idle connection dies. The pool replaces it by itself. */
  readonly onError: (error: Error) => void;
}

export function openPostgresDatabase({ url, onError }: PostgresOptions): PostgresDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    idleTimeoutMillis: IDLE_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    keepAlive: true,
    application_name: 'petstore',
  });
  // Without a listener, an idle connection that dies would end the process.
  pool.on('error', onError);

  async function connect(): Promise<PoolClient> {
    const client = await pool.connect().catch(unavailable);
    // The pool listens to idle connections alone. One that dies between two statements fails the next of them.
    if (client.listenerCount('error') === 0) client.on('error', () => {});
    return client;
  }

  return {
    pool,
    connect,
    async query<Row extends object>(name: string, sql: string, values: readonly unknown[] = []) {
      // The server ends a statement first; the client gives up on a server that does not.
      const query_timeout = STATEMENT_TIMEOUT + 1_000;
      const statement = { name, text: sql, values: [...values], query_timeout };
      const { rows } = await pool.query<Row & pg.QueryResultRow>(statement).catch(unavailable);
      return rows;
    },
    async transaction(work) {
      const client = await connect();
      let broken = false;
      try {
        await client.query('BEGIN');
        await client.query('SET LOCAL statement_timeout = 0');
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => (broken = true));
        return unavailable(error);
      } finally {
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

/** Classes of SQLSTATE that say a statement was wrong, not that the database could not be asked. */
const MISTAKES = /^(?:22|23|42)[0-9A-Z]{3}$/;
/** Names of errors that are not about a database. */
const NOT_ITS_OWN = new Set([
  SetupError.name,
  StoreUnavailable.name,
  'TypeError',
  'RangeError',
  'ReferenceError',
]);

/** Throws StoreUnavailable in place of whatever a database that cannot be asked makes pg throw. */
export function unavailable(error: unknown): never {
  const { name, code } = error as { name?: string; code?: string };
  if (NOT_ITS_OWN.has(name ?? '') || MISTAKES.test(code ?? '')) throw error;
  throw new StoreUnavailable(error);
}
