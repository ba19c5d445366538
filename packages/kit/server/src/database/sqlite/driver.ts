import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type * as Driver from '@photostructure/sqlite';
import { OperatorError } from '../../operator-error.ts';
import { NulError } from '../nul-error.ts';

/* SQLite behaves alike on every Node.js: `node:sqlite` and the package for older versions differ. */

export interface OpenOptions {
  /** The file must exist, and cannot be written. */
  readonly readonly?: boolean;
  /** How long a statement waits for another process's lock, in milliseconds. It blocks the event loop. */
  readonly busyTimeout?: number;
}

export interface DriverBackupOptions {
  /** Pages copied in one turn of the event loop. */
  readonly pagesAtOnce: number;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * A connection. Foreign keys are enforced. Every method throws SqliteError.
 *
 * Placeholders are `$1`, `$2`, … A boolean becomes 0 or 1, and undefined becomes NULL.
 */
export interface SqliteDatabase {
  /** The absolute path. */
  readonly file: string;
  readonly inTransaction: boolean;
  /** Compiles a statement, once for each SQL text. */
  prepare<Row extends object>(sql: string): Statement<Row>;
  /** Runs statements without values. */
  exec(sql: string): void;
  /** Runs a PRAGMA. Returns the first column of its first row, if it has one. */
  pragma(source: string): unknown;
  /** Runs `work` between BEGIN and COMMIT, or ROLLBACK if it throws. IMMEDIATE takes the write lock at once. */
  transaction<Result>(work: () => Result, mode?: 'IMMEDIATE' | 'DEFERRED'): Result;
  /**
   * Copies a snapshot into the new file `copy`, and joins an open transaction. `onProgress` gets numbers of pages; the
   * last call is the end. Rejects with SQLITE_BUSY if the database stays locked for the busy time-out.
   */
  backup(copy: string, options: DriverBackupOptions): Promise<void>;
  /** Rolls back, and closes if it is open. Then see releaseFiles. */
  close(): void;
}

/** Values are as many as placeholders. An integer that a number cannot represent is read as a bigint, a BLOB as bytes. */
export interface Statement<Row extends object> {
  run(values?: readonly unknown[]): void;
  get(values?: readonly unknown[]): Row | undefined;
  all(values?: readonly unknown[]): Row[];
  iterate(values?: readonly unknown[]): IterableIterator<Row>;
}

/** A failure of SQLite: `code` is such as `SQLITE_BUSY`, and for constraints such as `SQLITE_CONSTRAINT_UNIQUE`. */
export class SqliteError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'SqliteError';
    this.code = code;
  }
}

/** The code of an error of SQLite; undefined for other errors. */
export function sqliteCodeOf(error: unknown): string | undefined {
  return error instanceof SqliteError ? error.code : undefined;
}

/** 16 MB, as a negative number of kibibytes. The drivers' default is 2 MB. */
const CACHE_SIZE = -16_000;
const BUSY_TIMEOUT = 5_000;

/** Opens the database at `file`, or creates it. Throws SqliteError, and OperatorError if SQLite is not installed. */
export function openSqlite(
  file: string,
  { readonly = false, busyTimeout = BUSY_TIMEOUT }: OpenOptions = {},
): SqliteDatabase {
  const { DatabaseSync, backup } = loadDriver();
  // SQLite reads a relative path that begins with `file:` as a URI.
  const absolute = path.resolve(file);
  const connection = attempt(
    () => new DatabaseSync(absolute, { readOnly: readonly, timeout: busyTimeout, readBigInts: true }),
  );
  const exec = (sql: string) => attempt(() => connection.exec(checkSql(sql)));
  /** By their SQL, so that `close` can drop all of them. */
  const compiled = new Map<string, SqliteStatement>();

  exec(`PRAGMA cache_size = ${CACHE_SIZE}`);

  function rollBack(): void {
    // SQLite ends the transaction itself after some errors.
    if (connection.isTransaction) exec('ROLLBACK');
  }

  function pragma(source: string): unknown {
    // Some take effect when they are compiled.
    const statement = statementOf(connection, `PRAGMA ${source}`);
    const row = attempt(() => statement.get() as Record<string, unknown> | undefined);
    return row && Object.values(exactRow(row))[0];
  }

  return {
    file: absolute,
    get inTransaction() {
      return connection.isTransaction;
    },
    prepare<Row extends object>(sql: string) {
      let statement = compiled.get(sql);
      if (!statement) {
        statement = new SqliteStatement(connection, sql);
        compiled.set(sql, statement);
      }
      return statement as SqliteStatement<Row>;
    },
    exec,
    pragma,
    transaction(work, mode = 'IMMEDIATE') {
      exec(`BEGIN ${mode}`);
      try {
        const result = work();
        exec('COMMIT');
        return result;
      } catch (error) {
        rollBack();
        throw error;
      }
    },
    async backup(copy, { pagesAtOnce, onProgress }) {
      // The drivers wait for locks without end. This leaves them none: a new file, and a snapshot that is already open.
      closeSync(openSync(copy, 'wx'));
      const isOutermost = !connection.isTransaction;
      if (isOutermost) exec('BEGIN');
      try {
        const total = Number(pragma('page_count'));
        await backup(connection, path.resolve(copy), {
          rate: pagesAtOnce,
          progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
        });
        onProgress(total, total);
      } catch (error) {
        throw asSqliteError(error);
      } finally {
        if (isOutermost) rollBack();
      }
    },
    close() {
      if (!connection.isOpen) return;
      rollBack();
      for (const statement of compiled.values()) statement.drop();
      compiled.clear();
      connection.close();
    },
  };
}

/**
 * Resolves when closed databases no longer hold their files. The package for Node.js 20 closes a database only after its
 * statements are collected.
 */
export async function releaseFiles(): Promise<void> {
  if (IS_BUILT_IN) return;
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await nextTurn();
}

function statementOf(connection: Driver.DatabaseSyncInstance, sql: string): Driver.StatementSyncInstance {
  const statement = attempt(() => connection.prepare(sql));
  // Early versions of Node.js 22 and 24 do not know the option of the connection.
  statement.setReadBigInts(true);
  return statement;
}

class SqliteStatement<Row extends object = object> implements Statement<Row> {
  readonly #connection: Driver.DatabaseSyncInstance;
  readonly #sql: string;
  /** The indices of the values, as the driver wants them. */
  readonly #order: readonly number[];
  readonly #count: number;
  #statement: Driver.StatementSyncInstance | undefined;

  constructor(connection: Driver.DatabaseSyncInstance, sql: string) {
    const { text, order } = readPlaceholders(checkSql(sql));
    this.#connection = connection;
    this.#sql = text;
    this.#order = order;
    this.#count = Math.max(0, ...order.map((index) => index + 1));
    this.#statement = statementOf(connection, text);
  }

  /** Lets go of the driver's statement, which keeps its connection's files open. */
  drop(): void {
    this.#statement = undefined;
  }

  run(values: readonly unknown[] = []): void {
    const bound = this.#bind(values);
    try {
      this.#compiled().run(...bound);
    } catch (error) {
      throw asSqliteError(error);
    }
  }

  get(values: readonly unknown[] = []): Row | undefined {
    const bound = this.#bind(values);
    try {
      const row = this.#compiled().get(...bound) as Row | undefined;
      return row && exactRow(row);
    } catch (error) {
      throw asSqliteError(error);
    }
  }

  all(values: readonly unknown[] = []): Row[] {
    const bound = this.#bind(values);
    try {
      const rows = this.#compiled().all(...bound) as Row[];
      for (const row of rows) exactRow(row);
      return rows;
    } catch (error) {
      throw asSqliteError(error, () => this.#errorNumber(bound));
    }
  }

  *iterate(values: readonly unknown[] = []): IterableIterator<Row> {
    const bound = this.#bind(values);
    let rows: IterableIterator<Row> | undefined;
    try {
      rows = this.#compiled().iterate(...bound) as IterableIterator<Row>;
      for (const row of rows) yield exactRow(row);
    } catch (error) {
      // Otherwise a statement that was busy stays open, and later ones do not commit.
      rows?.return?.();
      throw asSqliteError(error, () => this.#errorNumber(bound));
    }
  }

  #compiled(): Driver.StatementSyncInstance {
    return (this.#statement ??= statementOf(this.#connection, this.#sql));
  }

  #bind(values: readonly unknown[]): Bound[] {
    // SQLite would take NULL for a missing value.
    if (values.length !== this.#count)
      throw new RangeError(`the statement needs ${this.#count} values: ${this.#sql}`);
    return this.#order.map((index) => boundValue(values[index]));
  }

  /** The number of the last error: one driver only tells it from `run`. Runs the statement again, and undoes it. */
  #errorNumber(bound: readonly Bound[]): number | undefined {
    const connection = this.#connection;
    connection.exec('SAVEPOINT failed');
    try {
      this.#compiled().run(...bound);
      return undefined;
    } catch (error) {
      return (error as DriverError).errcode;
    } finally {
      if (connection.isTransaction) connection.exec('ROLLBACK TO failed; RELEASE failed');
    }
  }
}

type Bound = string | number | bigint | null | NodeJS.ArrayBufferView;

/** Node.js 22 stores NULL for bytes without an address, which those of an empty buffer may be. */
const NO_BYTES = new Uint8Array(new ArrayBuffer(1), 0, 0);

const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

function boundValue(value: unknown): Bound {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) throw new NulError();
      return value;
    case 'number':
      // The built-in driver stores a number as REAL.
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'bigint':
      if (value < MIN_INTEGER || value > MAX_INTEGER)
        throw new RangeError(`${value} does not fit into 64 bits`);
      return value;
    case 'boolean':
      return value ? 1n : 0n;
    case 'undefined':
      return null;
    default:
      if (ArrayBuffer.isView(value)) return value.byteLength > 0 ? (value as Bound) : NO_BYTES;
      if (value === null) return null;
      throw new TypeError(`SQLite cannot store a value of the type ${typeof value}`);
  }
}

/** SQLite takes U+0000 for the end of a statement. */
function checkSql(sql: string): string {
  if (sql.includes('\0')) throw new TypeError('a statement cannot contain U+0000');
  return sql;
}

/** Replaces bigints that a number represents exactly. */
function exactRow<Row extends object>(row: Row): Row {
  const values = row as Record<string, unknown>;
  for (const name in values) {
    const value = values[name];
    if (typeof value !== 'bigint') continue;
    const number = Number(value);
    if (Number.isSafeInteger(number)) values[name] = number;
  }
  return row;
}

const LITERAL_OR_PLACEHOLDER = /'[^']*'|"[^"]*"|--.*|\/\*[^]*?\*\/|\$(\d+)/g;

/** SQLite reads `$1` as a name, and not every version of the drivers binds `?1`: each becomes `?`. */
function readPlaceholders(sql: string): { text: string; order: number[] } {
  const order: number[] = [];
  const text = sql.replace(LITERAL_OR_PLACEHOLDER, (match, number?: string) => {
    if (number === undefined) return match;
    order.push(Number(number) - 1);
    return '?';
  });
  return { text, order };
}

const [MAJOR = 0, MINOR = 0] = process.versions.node.split('.').map(Number);
/** Node.js 22.16 and 24 have all of SQLite that is needed here. */
const IS_BUILT_IN = MAJOR >= 24 || (MAJOR === 22 && MINOR >= 16);

function loadDriver(): typeof Driver {
  const emitWarning = process.emitWarning.bind(process);
  // Node.js 22 and early versions of 24 print that SQLite is experimental.
  process.emitWarning = () => {};
  try {
    const load = createRequire(import.meta.url);
    return load(IS_BUILT_IN ? 'node:sqlite' : '@photostructure/sqlite') as typeof Driver;
  } catch (error) {
    const { message } = error as Error;
    throw new OperatorError(
      `cannot load SQLite: ${message.split('\n', 1)[0]}. Install the packages again with this Node.js (${process.version}), or use Node.js 24, which includes SQLite`,
      { cause: error },
    );
  } finally {
    process.emitWarning = emitWarning;
  }
}

interface DriverError {
  readonly code?: string;
  readonly message: string;
  readonly errcode?: number;
}

/** https://sqlite.org/rescode.html: the primary result codes. */
const CODES: Readonly<Record<number, string>> = {
  2: 'INTERNAL',
  3: 'PERM',
  4: 'ABORT',
  5: 'BUSY',
  6: 'LOCKED',
  7: 'NOMEM',
  8: 'READONLY',
  9: 'INTERRUPT',
  10: 'IOERR',
  11: 'CORRUPT',
  13: 'FULL',
  14: 'CANTOPEN',
  15: 'PROTOCOL',
  17: 'SCHEMA',
  18: 'TOOBIG',
  19: 'CONSTRAINT',
  20: 'MISMATCH',
  21: 'MISUSE',
  23: 'AUTH',
  25: 'RANGE',
  26: 'NOTADB',
  // Extended ones, of constraints.
  275: 'CONSTRAINT_CHECK',
  787: 'CONSTRAINT_FOREIGNKEY',
  1299: 'CONSTRAINT_NOTNULL',
  1555: 'CONSTRAINT_PRIMARYKEY',
  1811: 'CONSTRAINT_TRIGGER',
  2067: 'CONSTRAINT_UNIQUE',
  2579: 'CONSTRAINT_ROWID',
  3091: 'CONSTRAINT_DATATYPE',
};

/** Failures of the file, by SQLite's texts. They may pass: a statement that is run again may succeed, or wait again. */
const FILE_FAILURES: Readonly<Record<string, number>> = {
  'out of memory': 7,
  'database is locked': 5,
  'database table is locked': 6,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'locking protocol': 15,
  'file is not a database': 26,
};

function attempt<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asSqliteError(error);
  }
}

/** `error` as a SqliteError, if the driver says that SQLite failed. `errorNumber` finds a missing number. */
function asSqliteError(error: unknown, errorNumber?: () => number | undefined): unknown {
  const { code, message, errcode } = error as DriverError;
  if (code !== 'ERR_SQLITE_ERROR') return error;
  const number = errcode ?? FILE_FAILURES[message] ?? errorNumber?.() ?? 1;
  return new SqliteError(`SQLITE_${CODES[number] ?? CODES[number & 0xff] ?? 'ERROR'}`, message);
}
