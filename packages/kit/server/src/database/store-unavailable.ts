import { reasonOf } from '../operator-error.ts';

/** Thrown while the database fails. The service responds with 503. */
export class StoreUnavailable extends Error {
  /** Whether the database got no statement. Otherwise one may have been executed, though its response was lost. */
  readonly isUnsent: boolean;

  constructor(cause: unknown, { isUnsent = false } = {}) {
    super(`the database cannot be used: ${reasonOf(cause)}`, { cause });
    this.name = 'StoreUnavailable';
    this.isUnsent = isUnsent;
  }
}
