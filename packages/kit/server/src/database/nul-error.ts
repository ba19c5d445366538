/**
 * Thrown for a text with U+0000: SQLite takes it for the end of the text, and PostgreSQL rejects it. JSON may have it, so
 * the client gets a 400.
 */
export class NulError extends TypeError {
  constructor(options?: ErrorOptions) {
    super('a database cannot store a text with U+0000', options);
    this.name = 'NulError';
  }
}
