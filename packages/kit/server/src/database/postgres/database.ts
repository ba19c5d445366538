import { hash } from 'node:crypto';
import pg, { type PoolClient } from 'pg';
import { asConstraintError, ConstraintError } from '../constraint-error.ts';
import type { Query } from '../query.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { memoize } from '../../memoize.ts';
import { OperatorError } from '../../operator-error.ts';

/** Connections that one instance takes at most: `max_connections` of PostgreSQL is for all of them together. */
export const MAX_CONNECTIONS = 10;
/** How long a request waits for a connection, and for a statement; in milliseconds. */
const CONNECTION_TIMEOUT = 2_000;
const STATEMENT_TIMEOUT = 5_000;
const IDLE_TIMEOUT = 30_000;
const TOO_MANY_CONNECTIONS = '53300';
/** What pg says when it has no password to send; it has no code. */
const NO_PASSWORD = /client password must be a/;
/** For how long no further connection is asked for of a server that has none left, in milliseconds. */
const FULL_SERVER_PAUSE = 10_000;

const INT8 = 20;
// Ids and counts stay below 2^53, so that int8 need not arrive as text.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text'): unknown =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** How long statements may take: as long as those of a request, or as long as they do. */
type TimeLimit = 'unlimited';

export interface PostgresDatabase {
  readonly query: Query;
  /** Runs `work` in one transaction on one connection. Throws ConstraintError and StoreUnavailable. */
  transaction<Result>(work: (client: PoolClient) => Promise<Result>, limit?: TimeLimit): Promise<Result>;
  /** A connection of one's own, to be released by `release`. Throws StoreUnavailable. */
  connect(): Promise<PoolClient>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** What PostgreSQL shows these connections as. */
  readonly applicationName: string;
  readonly url: string;
  /** Called when an idle connection dies. The pool replaces it by itself. */
  readonly onError?: ((error: Error) => void) | undefined;
}

export function openPostgresDatabase({ applicationName, url, onError }: PostgresOptions): PostgresDatabase {
  // What a statement is prepared as on each connection: PostgreSQL tells 63 characters apart.
  const nameOf = memoize((sql: string) => hash('sha256', sql).slice(0, 32));
  const setStatementTimeout = {
    text: `SET statement_timeout = ${STATEMENT_TIMEOUT}`,
    query_timeout: CONNECTION_TIMEOUT,
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    idleTimeoutMillis: IDLE_TIMEOUT,
    keepAlive: true,
    application_name: applicationName,
    types,
    // Not as a parameter of the connection, which PgBouncer refuses in every mode. The pool waits for the promise, although
    // its type does not say so.
    onConnect: (client): unknown => client.query(setStatementTimeout),
  });
  // Without a listener, an idle connection that dies would end the process.
  pool.on('error', (error: Error & { client?: unknown }) => {
    // All of the connection, with what may end its statements: nothing for the log.
    delete error.client;
    onError?.(error);
  });
  // The pool listens to idle connections alone. One that dies between two statements fails the next of them.
  pool.on('connect', (client) => client.on('error', () => {}));

  /** Connects, or waits for a connection of the pool where the server has none left to give. */
  async function take(): Promise<PoolClient> {
    const deadline = performance.now() + CONNECTION_TIMEOUT;
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (NO_PASSWORD.test((error as Error).message))
          Object.assign(error as Error, { code: 'NO_PASSWORD' });
        const isServerFull = (error as { code?: string }).code === TOO_MANY_CONNECTIONS;
        if (!isServerFull || pool.totalCount === 0 || performance.now() > deadline) throw error;
        pool.options.max = pool.totalCount;
        setTimeout(() => (pool.options.max = MAX_CONNECTIONS), FULL_SERVER_PAUSE).unref();
      }
    }
  }

  const connect = () => take().catch(unavailable);

  return {
    pool,
    connect,
    async query<Row extends object>(sql: string, values: readonly unknown[] = []) {
      // The server ends a statement first; the client gives up on a server that does not.
      const query_timeout = STATEMENT_TIMEOUT + 1_000;
      const statement = { name: nameOf(sql), text: sql, values: [...values], query_timeout };
      const client = await connect();
      try {
        const { rows } = await client.query<Row & pg.QueryResultRow>(statement);
        client.release();
        return rows;
      } catch (error) {
        // One that the server has answered is still of use.
        client.release(!SQLSTATE.test((error as { code?: string }).code ?? ''));
        return unavailable(error);
      }
    },
    async transaction(work, limit) {
      const client = await connect();
      let broken = false;
      try {
        await client.query('BEGIN');
        if (limit === 'unlimited') await client.query('SET LOCAL statement_timeout = 0');
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

/** `database` limited to `share` connections, so a locked table leaves the rest. Throws StoreUnavailable. */
export function withShare(database: PostgresDatabase, share: number): PostgresDatabase {
  let free = share;
  const waiting: (() => void)[] = [];

  function enter(): Promise<void> | undefined {
    if (free > 0) {
      free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new StoreUnavailable(new Error('the statements before it take too long; is a table locked?')));
      }, CONNECTION_TIMEOUT);
      waiting.push(begin);
    });
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return {
    ...database,
    query: <Row extends object>(sql: string, values?: readonly unknown[]) =>
      inTurn(() => database.query<Row>(sql, values)),
    transaction: (work, limit) => inTurn(() => database.transaction(work, limit)),
  };
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Classes of SQLSTATE for wrong values. Not 42: then somebody has taken a table or a right away. */
const MISTAKES = /^(?:22|23)[0-9A-Z]{3}$/;
/** Names of errors that are not about a database. */
const NOT_ITS_OWN = new Set([
  OperatorError.name,
  StoreUnavailable.name,
  ConstraintError.name,
  'TypeError',
  'RangeError',
  'ReferenceError',
]);

/** Throws StoreUnavailable in place of whatever a database that cannot be asked makes pg throw. */
export function unavailable(error: unknown): never {
  const { name, code } = error as { name?: string; code?: string };
  const known = asConstraintError(error);
  if (known !== error || NOT_ITS_OWN.has(name ?? '') || MISTAKES.test(code ?? '')) throw known;
  throw new StoreUnavailable(error);
}
