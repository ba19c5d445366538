import { asConstraintError } from '../constraint-error.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { sqliteCodeOf } from './driver.ts';

export const isBusy = (error: unknown): boolean => sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') ?? false;

export const isConstraint = (error: unknown): boolean =>
  sqliteCodeOf(error)?.startsWith('SQLITE_CONSTRAINT') ?? false;

/** Codes of a wrong statement or value: nothing is wrong with the database. */
const MISTAKES = /^SQLITE_(?:CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/;

/** Whether other statements of the same transaction can succeed. */
export function failsAlone(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === undefined || MISTAKES.test(code);
}

/** An error of SQLite as a ConstraintError or StoreUnavailable; any other unchanged. */
export function asStoreError(error: unknown): unknown {
  const known = asConstraintError(error);
  return known !== error || sqliteCodeOf(error) === undefined ? known : new StoreUnavailable(error);
}
