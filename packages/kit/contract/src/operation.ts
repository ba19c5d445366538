/** An operation as a value: all that is needed to route it, to send it, and to read its response. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** The parameters that are 64-bit integers, or lists of them. */
  readonly int64?: readonly string[];
  readonly query?: readonly string[];
  /** Query parameters that may be null, which is sent as an empty value. */
  readonly nullable?: readonly string[];
  /** How to write the parameters that are objects or lists in one value, or have a style: `json`, or a style of OpenAPI 3.1 §4.8.12.3. */
  readonly styles?: Readonly<Record<string, ParameterStyle>>;
  readonly cookies?: readonly string[];
  /** The header parameters, spelled as in the contract. */
  readonly headers?: readonly string[];
  /** Whether it works without a key. */
  readonly anonymous?: true;
  /** The headers that carry a key, each with its scheme; `Authorization: Bearer` if absent. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** The query parameters that carry a key. */
  readonly queryCredentials?: readonly string[];
  /** How the JSON body is passed: its fields with the parameters, or all of it as `body`. */
  readonly body?: 'fields' | 'required' | 'optional';
  /** The media type of the body, if it is not `application/json`. */
  readonly bodyType?: string;
  /** The most bytes of a body, if it has a special limit. */
  readonly bodyLimit?: number;
  readonly bodyFields?: readonly string[];
  /** The JSON type of the body by status below 400 or range such as `2XX`; or `any`, another media type, `none`. */
  readonly responseTypes: Readonly<Record<string, string>>;
  /** The media types for `Accept`, if a success is not JSON. */
  readonly accept?: string;
  /** The JSON media types by status or range, if one is not `application/json`. */
  readonly jsonTypes?: Readonly<Record<string, string>>;
  /** The statuses of errors, including ranges such as `4XX` and `default`. */
  readonly errors: readonly (number | string)[];
}

export interface ParameterStyle {
  readonly style: string;
  readonly explode: boolean;
}

/** An example response of an operation. */
export interface Example {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text of another media type. */
  readonly body?: unknown;
}

/** Who may call an operation: alternatives, each a list of security schemes (OpenAPI 3.1 §4.8.30). */
export type Security = readonly (readonly string[])[];

/** When an operation was deprecated, and when it will be removed, as YYYY-MM-DD. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
}
