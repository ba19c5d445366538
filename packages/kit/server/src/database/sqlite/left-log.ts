import { existsSync } from 'node:fs';
import { OperatorError } from '../../operator-error.ts';

/** Throws an OperatorError if `file` is missing and its log is there: SQLite would apply that to any new file. */
export function refuseLeftLog(file: string): void {
  const log = ['-wal', '-journal'].map((suffix) => file + suffix).find((name) => existsSync(name));
  if (log !== undefined && !existsSync(file))
    throw new OperatorError(
      `${file} is missing, but ${log} is there, which may have its last changes: put the file back, or move the log away`,
    );
}
