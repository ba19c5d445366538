import { asConstraintError } from '../constraint-error.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { sqliteCodeOf, SqliteError } from './driver.ts';

export const isBusy = (error: unknown): boolean => sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') ?? false;

export const isConstraint = (error: unknown): boolean =>
  sqliteCodeOf(error)?.startsWith('SQLITE_CONSTRAINT') ?? false;

/** Codes of a wrong statement or value: nothing is wrong with the database. */
const MISTAKES = /^SQLITE_(?:CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/;

/** Messages of SQLITE_ERROR about the database: a table is gone, or SQLite rolled the transaction back after a failure. */
const STATES = /no such table|no transaction is active/;

/** Whether other statements of the same transaction can succeed. */
export function failsAlone(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === undefined || MISTAKES.test(code);
}

/**
 * An error of SQLite as a ConstraintError, or as StoreUnavailable if the database failed. Unchanged if the statement or a
 * value is wrong, because a retry cannot succeed, and if it is another error.
 */
export function asStoreError(error: unknown): unknown {
  const known = asConstraintError(error);
  const isOfDatabase = !failsAlone(error) || (error instanceof SqliteError && STATES.test(error.message));
  return known === error && isOfDatabase ? new StoreUnavailable(error) : known;
}
