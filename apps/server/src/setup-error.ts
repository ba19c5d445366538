/** Something the operator can put right. Its message says what; it is shown on one line, without a stack. */
export class SetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SetupError';
  }
}

/** What the codes of the operating system and of SQLite, and those that begin so, mean where they come from a file. */
const meanings: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write there',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  SQLITE_BUSY: 'another process keeps the database locked; try again in a moment',
  SQLITE_CANTOPEN: 'this user may not read or write there',
  SQLITE_CONSTRAINT_CHECK: 'there are no ids left for those that have none',
  SQLITE_CORRUPT: 'it is damaged',
  SQLITE_FULL: 'the disk is full',
  SQLITE_NOTADB: 'it is not a database',
};

/** Why a file or the embedded database fails, for the operator. */
export function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [, meaning] = Object.entries(meanings).find(([prefix]) => code.startsWith(prefix)) ?? [];
  return meaning ?? message ?? String(error);
}

/** `error` as the operator reads it: `what` could not be done, and why. A SetupError says so already. */
export function asSetupError(what: string, error: unknown, outcome = ''): SetupError {
  if (error instanceof SetupError) return error;
  return new SetupError(`${what}: ${reasonOf(error)}${outcome && `; ${outcome}`}`, { cause: error });
}
