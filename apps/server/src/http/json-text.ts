export const JSON_TYPE = 'application/json';
export const JSON_IN_UTF8 = `${JSON_TYPE}; charset=utf-8`;

/**
 * The JSON text of a `Value`, where that is cheaper to come by than the value itself: whole, or, of an array, in batches
 * of the elements between the brackets, so that a long one is never in memory whole.
 */
export class JsonText<Value> {
  /** For the compiler alone. */
  declare protected readonly value: Value;
  readonly content: Buffer | AsyncIterable<string>;

  constructor(content: Buffer | AsyncIterable<string>) {
    this.content = content;
  }
}
