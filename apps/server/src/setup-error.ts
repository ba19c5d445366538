/** Something the operator can put right. Its message says what; it is shown on one line, without a stack. */
export class SetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SetupError';
  }
}
