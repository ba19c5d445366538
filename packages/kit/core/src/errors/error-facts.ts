/** What is wrong with one part of a request. */
export interface Violation {
  /** A JSON pointer into the body or the parameter (RFC 6901); empty for the whole of it. */
  readonly pointer: string;
  /** Completes a sentence that begins with the part: "must be string". */
  readonly message: string;
  /** The name of the parameter; absent for the body. */
  readonly parameter?: string;
  /** Where the part was sent. */
  readonly in: 'body' | 'path' | 'query' | 'header' | 'cookie';
  /** The names and indexes that lead to the part, from the parameter or the body: `['lines', '0', 'name']`. */
  readonly steps: readonly string[];
}

/** An error of the pipeline before it takes the contract's shape. */
export interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  /** The `X-Request-Id` of the response; the nil UUID (RFC 9562 §5.9) in texts that are generated. */
  readonly requestId: string;
  /** The path of the request, without its query; empty if it could not be read, and in texts that are generated. */
  readonly path: string;
  /** Everything that is wrong with an invalid request. */
  readonly violations?: readonly Violation[];
}

/** The nil UUID, of no request (RFC 9562 §5.9). */
export const NO_REQUEST_ID = '00000000-0000-0000-0000-000000000000';
