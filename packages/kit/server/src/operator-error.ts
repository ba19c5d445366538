/** An error that the operator can fix. It is shown on one line, without a stack. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

/** A wrong setting: a restart does not help. */
export class ConfigError extends OperatorError {}

/** Explains codes of the operating system, SQLite and PostgreSQL, and codes with these prefixes. */
const meanings: Readonly<Record<string, string>> = {
  '22P05': 'its encoding lacks some of these characters; this service needs UTF8',
  25006: 'it is read-only or a standby',
  28000: 'PostgreSQL rejects this user, database or address (pg_hba.conf)',
  '28P01': 'PostgreSQL rejects the password',
  '3D000': 'PostgreSQL has no database with this name',
  53100: 'the disk is full',
  53300: 'it has no connections left',
  57014: 'a statement took too long',
  EACCES: 'this user may not read or write there',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it is a file, not a folder',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EPERM: 'this user may not read or write there',
  EPIPE: 'its reader has exited',
  EROFS: 'the file system is read-only',
  NO_PASSWORD: 'PostgreSQL asks for a password, and DATABASE_URL has none',
  SQLITE_BUSY: 'another process has locked the database; try again',
  SQLITE_CANTOPEN: 'this user may not write there, the file system is read-only, or the disk is full',
  SQLITE_CORRUPT: 'it is damaged: restore a backup into a new DATA_DIR',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk cannot be read or written, or is full',
  SQLITE_NOTADB: 'it is not a database',
  SQLITE_READONLY: 'it is read-only',
  STORE_REMOVED: 'its files were removed or replaced while it was served: restart the service',
};

/** The explanation of the code of `error`; undefined if it is unknown. */
export function adviceFor(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return Object.entries(meanings).find(([prefix]) => code?.startsWith(prefix))?.[1];
}

/** Why a file, a database or a server fails, for the operator. */
export function reasonOf(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  // Node tries every address of a host and reports all failures in one error without a message.
  return (adviceFor(error) ?? message) || errors?.map(reasonOf).join('; ') || code || String(error);
}

/** `error` for the operator: what failed, on which file, and why. An OperatorError is unchanged. */
export function asOperatorError(what: string, error: unknown, outcome = ''): OperatorError {
  if (error instanceof OperatorError) return error;
  const { path } = error as NodeJS.ErrnoException;
  const file = path === undefined || what.includes(path) ? '' : `${path}: `;
  return new OperatorError(`${what}: ${file}${reasonOf(error)}${outcome && `; ${outcome}`}`, {
    cause: error,
  });
}
