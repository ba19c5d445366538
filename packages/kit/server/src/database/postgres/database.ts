import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type PoolClient } from 'pg';
import { asConstraintError, ConstraintError } from '../constraint-error.ts';
import { NulError } from '../nul-error.ts';
import type { Query } from '../sql.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { memoize } from '../../memoize.ts';
import { OperatorError } from '../../operator-error.ts';
import { consequenceOf, isAboutNul, sqlstateOf, type Consequence } from './sqlstate.ts';

/** The most connections of one instance. PostgreSQL's `max_connections` is for all instances together. */
export const MAX_CONNECTIONS = 10;
/** How long a request waits for a connection, and for a statement; in milliseconds. */
const CONNECTION_TIMEOUT = 2_000;
const STATEMENT_TIMEOUT = 5_000;
/** How long the client waits for a statement, in milliseconds. The server ends it first, unless it does not respond. */
const RESPONSE_TIMEOUT = STATEMENT_TIMEOUT + 1_000;
/** How long a transaction may wait for its next statement, in milliseconds. A stopped process would keep its locks. */
const IDLE_TRANSACTION_TIMEOUT = 10_000;
const IDLE_TIMEOUT = 30_000;
/** How long closing waits for connections in use, such as one of a handler that ignores its signal; in milliseconds. */
const CLOSE_TIMEOUT = 1_000;
/** Of each statement of a request: pg would wait for a silent server without end. */
export const TIMED = { query_timeout: RESPONSE_TIMEOUT } as const;
const ROLLBACK = { text: 'ROLLBACK', query_timeout: CONNECTION_TIMEOUT };
const TOO_MANY_CONNECTIONS = '53300';
/** pg's message if it has no password: there is no code. */
const NO_PASSWORD = /client password must be a/;
/** How long to wait after a server has no connections left, in milliseconds. */
const FULL_SERVER_PAUSE = 10_000;

const INT8 = 20;
// Ids and counts are below 2^53, so int8 can be a number.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text'): unknown =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** The time limit of statements: that of a request, or none. */
type TimeLimit = 'unlimited';

export interface PostgresDatabase {
  /** Repeats a statement once if PostgreSQL says that it had no effect and sqlstate.ts lists its error. */
  readonly query: Query;
  /** Runs `work` once, in one transaction on one connection. Throws ConstraintError and StoreUnavailable. */
  transaction<Result>(work: (client: PoolClient) => Promise<Result>, limit?: TimeLimit): Promise<Result>;
  /** An exclusive connection; `release` it. Throws StoreUnavailable. */
  connect(): Promise<PoolClient>;
  /** Uses no connection again that is open now: after a failover all of them lead to the old primary. */
  expire(): void;
  readonly pool: pg.Pool;
  /** Cuts connections that are still in use after a second. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  readonly applicationName: string;
  readonly url: string;
  /** Called when an idle connection dies. The pool replaces it. */
  readonly onError?: ((error: Error) => void) | undefined;
}

export function openPostgresDatabase({ applicationName, url, onError }: PostgresOptions): PostgresDatabase {
  // The name of a prepared statement: PostgreSQL distinguishes 63 characters.
  const statementName = memoize((sql: string) => hash('sha256', sql).slice(0, 32));
  // Statements rely on this isolation, whatever the role's default is.
  const setDefaults = {
    text: `SET statement_timeout = ${STATEMENT_TIMEOUT}; SET default_transaction_isolation = 'read committed';
      SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT}`,
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
    // Not as a connection parameter, which PgBouncer rejects in every mode. The pool waits for the promise, although its
    // type does not say so.
    onConnect: (client): unknown => client.query(setDefaults),
  });
  // Without a listener, an idle connection that dies would end the process.
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The client object, which has nothing to log.
    delete error.client;
    onError?.(error);
  });
  // The pool only listens to idle connections. If this one dies, its next statement fails.
  const open = new Set<PoolClient>();
  pool.on('remove', (client) => void open.delete(client));
  pool.on('connect', (client) => {
    open.add(client);
    client.on('error', () => {});
    generations.set(client, generation);
  });

  let generation = 0;
  const generations = new WeakMap<PoolClient, number>();
  const expire = () => void (generation += 1);

  /** Connects, or waits for a pooled connection if the server has none left. */
  async function take(): Promise<PoolClient> {
    const deadline = performance.now() + CONNECTION_TIMEOUT;
    for (;;) {
      try {
        const client = await pool.connect();
        if (generations.get(client) === generation) return client;
        client.release(true);
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

  const connect = () => take().catch((error: unknown) => throwUnavailable(error, { isUnsent: true }));

  /** Returns `client` to the pool, or closes it, as its `error` requires. */
  function releaseAfter(client: PoolClient, error: unknown): Consequence {
    const consequence = consequenceOf(error);
    client.release(consequence.closes);
    // The second attempt needs a new session.
    if (consequence.closes && consequence.retries) expire();
    return consequence;
  }

  return {
    pool,
    connect,
    expire,
    async query<Row extends object>(sql: string, values: readonly unknown[] = []) {
      const statement = { name: statementName(sql), text: sql, values: [...values], ...TIMED };
      for (let isRepeated = false; ; isRepeated = true) {
        const client = await connect();
        try {
          const { rows } = await client.query<Row & pg.QueryResultRow>(statement);
          client.release();
          return rows;
        } catch (error) {
          if (!releaseAfter(client, error).retries || isRepeated) return throwUnavailable(error);
        }
      }
    },
    async transaction(work, limit) {
      const client = await connect();
      try {
        const unlimited =
          '; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';
        await client.query({ text: `BEGIN${limit === 'unlimited' ? unlimited : ''}`, ...TIMED });
        const result = await work(client);
        const { command } = await client.query({ text: 'COMMIT', ...(limit !== 'unlimited' && TIMED) });
        // PostgreSQL's answer to COMMIT if `work` caught the error of a statement.
        if (command === 'ROLLBACK') throw new Error('rolled back: a statement of the transaction failed');
        client.release();
        return result;
      } catch (error) {
        // A silent server ends the transaction with the connection.
        const isUndone = await client.query(ROLLBACK).then(
          () => true,
          () => false,
        );
        // An error of `work` itself says nothing about the connection.
        if (isUndone && sqlstateOf(error) === undefined) client.release();
        else releaseAfter(client, isUndone ? error : undefined);
        return throwUnavailable(error);
      }
    },
    async close() {
      const ended = pool.end();
      await Promise.race([ended, sleep(CLOSE_TIMEOUT, undefined, { ref: false })]);
      for (const client of open) void client.end();
    },
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
        const error = new Error('timed out waiting for a connection; is a table locked?');
        reject(new StoreUnavailable(error, { isUnsent: true }));
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

/**
 * SQLSTATE classes of wrong statements and values: a retry cannot succeed. Not a missing table or permission (42P01, 42501),
 * nor a prepared statement that exists already (42P05) or is older than the table (0A000).
 */
const MISTAKES = /^(?:21|22|23|54|42(?!P01|P05|501))[0-9A-Z]{3}$/;
/** Names of errors that are not about a database. */
const NOT_ITS_OWN = new Set([
  OperatorError.name,
  StoreUnavailable.name,
  ConstraintError.name,
  'NulError',
  'TypeError',
  'RangeError',
  'ReferenceError',
]);

/** Whether a statement got another number of values than it has placeholders. PgBouncer uses the code too. */
function hasWrongCount(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '08P01' && routine === 'exec_bind_message';
}

/** Turns pg's errors of a failed database into StoreUnavailable, and those about U+0000 into NulError. */
export function throwUnavailable(error: unknown, options?: { readonly isUnsent: boolean }): never {
  const { name, code } = error as { name?: string; code?: string };
  if (isAboutNul(error)) throw new NulError({ cause: error });
  const known = asConstraintError(error);
  if (known !== error || NOT_ITS_OWN.has(name ?? '') || MISTAKES.test(code ?? '') || hasWrongCount(error))
    throw known;
  throw new StoreUnavailable(error, options);
}
