export const JSON_TYPE = 'application/json';
export const JSON_IN_UTF8 = `${JSON_TYPE}; charset=utf-8`;

/** The JSON text of a `Value`, whole or, of a long array, in batches of the elements between the brackets. */
export class RawJson<Value> {
  /** For the compiler alone. */
  declare protected readonly value: Value;
  readonly content: Buffer | AsyncIterable<string>;

  constructor(content: Buffer | AsyncIterable<string>) {
    this.content = content;
  }
}
