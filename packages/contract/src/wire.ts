/** An operation, as far as a client needs to know it to send requests and to recognise replies. */
export interface WireCall {
  readonly method: string;
  readonly path: string;
  /** The path and query parameters that are 64-bit integers. */
  readonly int64?: readonly string[];
  /** The query parameters. */
  readonly query?: readonly string[];
  /** The JSON type of the request's body. */
  readonly body?: string;
  /** The JSON type of the body by status: `none` without content, `any` where the schema gives no type. */
  readonly successes: Readonly<Record<string, string>>;
  /** The statuses that come with an Error object. */
  readonly errors: readonly number[];
}
