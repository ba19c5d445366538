/** Thrown while the database cannot be asked. The service answers 503 and goes on. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the store is unavailable', { cause });
    this.name = 'StoreUnavailable';
  }
}
