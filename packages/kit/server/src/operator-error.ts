/** Something the operator can put right. Its message says what; it is shown on one line, without a stack. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

/** A setting that is wrong: to start again does not help. */
export class ConfigError extends OperatorError {}

/** What the codes of the operating system, of SQLite and of PostgreSQL, and those that begin so, mean to an operator. */
const meanings: Readonly<Record<string, string>> = {
  '22P05': 'its encoding has not all of these characters; this service needs UTF8',
  25006: 'it takes no writes: it is a standby, or read-only',
  28000: 'PostgreSQL refuses this user, database or address (pg_hba.conf)',
  '28P01': 'PostgreSQL refuses the password',
  '3D000': 'PostgreSQL has no database of this name',
  53100: 'the disk is full',
  53300: 'it has no connections left',
  57014: 'a statement took too long',
  EACCES: 'this user may not read or write there',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it is a file, not a folder',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'what should be a folder is a file',
  EPERM: 'this user may not read or write there',
  EPIPE: 'who was reading has gone',
  EROFS: 'the file system is read-only',
  NO_PASSWORD: 'PostgreSQL asks for a password, and DATABASE_URL has none',
  SQLITE_BUSY: 'another process keeps the database locked; try again in a moment',
  SQLITE_CANTOPEN: 'this user may not write there, the file system is read-only, or the disk is full',
  SQLITE_CONSTRAINT_CHECK: 'there are no ids left for those that have none',
  SQLITE_CORRUPT: 'it is damaged: restore a backup into a new DATA_DIR',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk cannot be read or written, or is full',
  SQLITE_NOTADB: 'it is not a database',
  SQLITE_READONLY: 'it cannot be written to',
  STORE_REMOVED: 'its files were removed or replaced while it was served: restart the service',
};

/** What the code of `error` means; undefined where it has none that is known. */
export function meaningOf(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return Object.entries(meanings).find(([prefix]) => code?.startsWith(prefix))?.[1];
}

/** Why a file, a database or a server fails, for the operator. */
export function reasonOf(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  // Node tries every address of a host, and reports all failures in one error without a message of its own.
  return (meaningOf(error) ?? message) || errors?.map(reasonOf).join('; ') || code || String(error);
}

/** `error` as the operator reads it: `what` could not be done, by which file, and why. A OperatorError says so already. */
export function asOperatorError(what: string, error: unknown, outcome = ''): OperatorError {
  if (error instanceof OperatorError) return error;
  const { path } = error as NodeJS.ErrnoException;
  const file = path === undefined || what.includes(path) ? '' : `${path}: `;
  return new OperatorError(`${what}: ${file}${reasonOf(error)}${outcome && `; ${outcome}`}`, {
    cause: error,
  });
}
