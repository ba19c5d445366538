import type { ErrorBody, RateLimit } from './types.ts';

/** The codes of errors that arise in the client, not at the server. */
export type ClientErrorCode =
  | 'invalid_input'
  | 'callback_failed'
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_reply'
  | 'inexact_integer';

export type ErrorDetails = Pick<CallError, 'code' | 'attempts'> & Partial<Omit<CallError, keyof Error>>;

/** Every call of the client throws this, except for the reason of an `AbortSignal`. It never contains the API key. */
export class CallError extends Error {
  /** The class name, also if minified. */
  static readonly kind: string = 'CallError';
  /** The operation that was called; `undefined` for a request of `fetch`. */
  declare readonly operation: string | undefined;
  /** Machine-readable. `ErrorCode` has the known ones of the API; new ones may appear at any time. */
  declare readonly code: ClientErrorCode | (string & {});
  /** The method of the request; `undefined` if there was none. */
  declare readonly method: string | undefined;
  /** The address of the request, without the key; `undefined` if there was none. */
  declare readonly url: string | undefined;
  /** The headers of the response, without the key; `undefined` if there was no response. */
  declare readonly headers: Headers | undefined;
  /** The HTTP status; `undefined` if there was no response. */
  declare readonly status: number | undefined;
  /** The whole body: parsed if it was JSON, otherwise its text; `undefined` if there was none. */
  declare readonly body: unknown;
  /** The `X-Request-Id` of the last response: quote it to support. */
  declare readonly requestId: string | undefined;
  /** The quota as of the last response. */
  declare readonly rateLimit: RateLimit | undefined;
  /** Seconds to wait before calling again, counted from the moment this is thrown; `undefined` if not known. */
  declare readonly retryAfter: number | undefined;
  /** Requests that the call sent; 0 if it failed before the first. */
  declare readonly attempts: number;

  constructor(message: string, details: ErrorDetails, options?: { cause?: unknown }) {
    super(message, options);
    Object.assign(this, details);
  }

  // Not a field: the stack reads the name before fields are set.
  override get name(): string {
    return (this.constructor as typeof CallError).kind;
  }
}

/** An error of a call. Its message starts with the operation, or with the method and address of a `fetch`. */
export function failure<Kind extends CallError>(
  Class: new (message: string, details: ErrorDetails, options?: { cause?: unknown }) => Kind,
  about: Omit<ErrorDetails, 'code'>,
  code: string,
  what: string,
  options?: { readonly cause: unknown },
): Kind {
  const { operation = `${about.method} ${about.url}` } = about;
  return new Class(`${operation}: ${what}`, { ...about, code }, options);
}

/** The API rejected the call. Narrow it by `status`, then by `code`. */
export class ApiError extends CallError {
  static override readonly kind: string = 'ApiError';
  declare readonly status: number;
  /** The whole body; `undefined` if there was none, or nothing was sent. */
  declare readonly body: ErrorBody | undefined;
}

/** 429 (RFC 6585 §4): a quota is used up, or the key is banned. With `attempts: 0` nothing was sent. */
export class RateLimitError extends ApiError {
  static override readonly kind: string = 'RateLimitError';
  declare readonly status: 429;
  /** Seconds to wait before calling again, counted from the moment this is thrown. */
  declare readonly retryAfter: number;
}

/* By status, because editors would show an alias instead of the codes. */

type Statuses = Readonly<Record<string, number>>;
type CodesOf<Known extends Statuses> = {
  [Status in Known[keyof Known]]: {
    [Code in keyof Known & string]: Known[Code] extends Status ? Code : never;
  }[keyof Known & string];
};

interface StatusError<Status extends number, Code extends string> extends ApiError {
  readonly status: Status;
  readonly code: Code | (string & {});
  readonly body: ErrorBody<Code, Status> | undefined;
}

/** An `ApiError` of a contract with these codes and their statuses. Other statuses may occur. */
export type ApiErrorOf<Known extends Statuses> =
  | { [Status in Known[keyof Known]]: StatusError<Status, CodesOf<Known>[Status]> }[Known[keyof Known]]
  | OtherError;

interface OtherError extends ApiError {
  // Not 'number & {}': comparing it with a status would then leave every error.
  readonly status: number;
  readonly code: string & {};
}

/** The response is not in the contract: HTML of a proxy, for example. The operation may have taken place. */
export class UnexpectedReplyError extends CallError {
  static override readonly kind: string = 'UnexpectedReplyError';
  declare readonly status: number;
}

/** No complete response arrived; the operation may have taken place. `cause` says why, without the key. */
export class ConnectionError extends CallError {
  static override readonly kind: string = 'ConnectionError';
}

/** No complete response arrived in time. */
export class TimeoutError extends ConnectionError {
  static override readonly kind: string = 'TimeoutError';
}

/** An argument cannot be sent as it is. There was no request. */
export class InputError extends CallError {
  static override readonly kind: string = 'InputError';
}

/** The response has an integer beyond ±(2^53−1), which a JavaScript number would round (RFC 8259 §6). */
export class InexactIntegerError extends CallError {
  static override readonly kind: string = 'InexactIntegerError';
}
