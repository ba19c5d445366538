/** Thrown while the database cannot be asked. The service answers 503 and goes on. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database does not answer, or another process is writing to it; try again in a moment', {
      cause,
    });
    this.name = 'StoreUnavailable';
  }
}
