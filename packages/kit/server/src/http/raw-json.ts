export const JSON_TYPE = 'application/json';
export const JSON_IN_UTF8 = `${JSON_TYPE}; charset=utf-8`;

/** The JSON text of a `Value`, whole, or in batches of the elements of a long array. */
export class RawJson<Value> {
  /** Only for the compiler. */
  declare protected readonly value: Value;
  readonly content: Buffer | AsyncIterable<string>;

  constructor(content: Buffer | AsyncIterable<string>) {
    this.content = content;
  }
}
