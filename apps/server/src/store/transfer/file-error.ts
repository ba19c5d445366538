import { SetupError } from '../../setup-error.ts';

/** What the operator reads where a file or the embedded database fails: what could not be done, and why. */
export function fileError(what: string, error: unknown): SetupError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EACCES: 'this user may not write there',
    ENOSPC: 'the disk is full',
    SQLITE_FULL: 'the disk is full',
    SQLITE_CANTOPEN: 'this user may not write there',
    SQLITE_BUSY: 'another process keeps the database locked; try again in a moment',
    SQLITE_CORRUPT: 'the database is damaged',
  };
  return new SetupError(`${what}: ${reasons[code] ?? message}`, { cause: error });
}
