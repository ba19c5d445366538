import { reasonOf } from '../operator-error.ts';

/** Thrown while the database cannot be asked. The service answers 503 and goes on. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database cannot be used: ${reasonOf(cause)}`, { cause });
    this.name = 'StoreUnavailable';
  }
}
