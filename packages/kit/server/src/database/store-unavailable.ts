import { reasonOf } from '../operator-error.ts';

/** Thrown while the database fails. The service responds with 503. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database cannot be used: ${reasonOf(cause)}`, { cause });
    this.name = 'StoreUnavailable';
  }
}
