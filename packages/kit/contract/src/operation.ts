/** An operation as a value: what it takes to route a request to it, to send one, and to recognise the response. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** The parameters that are 64-bit integers, or lists of them. */
  readonly int64?: readonly string[];
  /** The query parameters. */
  readonly query?: readonly string[];
  /** Those of them that are lists written as one value, with commas (`explode: false`). */
  readonly commaSeparated?: readonly string[];
  /** Those of them that may be null, which is written as an empty value. */
  readonly nullable?: readonly string[];
  /** The header parameters, as the contract writes them. */
  readonly headers?: readonly string[];
  /** Whether it can be called without a key. */
  readonly anonymous?: true;
  /** The headers that carry a key, each with the scheme before it, if any; `Authorization: Bearer` where absent. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** The query parameters that carry a key. */
  readonly queryCredentials?: readonly string[];
  /** The JSON body of the request: its fields stand beside the parameters, or it is passed as `body`. */
  readonly body?: 'fields' | 'required' | 'optional';
  /** The media type of the body, if it is not `application/json`. */
  readonly bodyType?: string;
  /** The most bytes that a body may have, if it may be large. */
  readonly bodyLimit?: number;
  /** The names of those fields. */
  readonly bodyFields?: readonly string[];
  /** The JSON type of the body by status below 400, or by a range such as `2XX`; `any`, another media type, or `none`. */
  readonly responseTypes: Readonly<Record<string, string>>;
  /** The media types of its responses, as `Accept` names them, where a success is not JSON. */
  readonly accept?: string;
  /** The media types of JSON by status or range, if one of them is not `application/json`. */
  readonly jsonTypes?: Readonly<Record<string, string>>;
  /** The statuses of errors, and their ranges, such as `4XX` and `default`. */
  readonly errors: readonly (number | string)[];
}

/** A response that shows what an operation answers. */
export interface Example {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or the text of another media type. */
  readonly body?: unknown;
}

/** Who may call an operation: alternatives, each a list of security schemes (OpenAPI 3.1 §4.8.30). */
export type Security = readonly (readonly string[])[];

/** Since when an operation is deprecated, and when it goes away, as YYYY-MM-DD. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
}
