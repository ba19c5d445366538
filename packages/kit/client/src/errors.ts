import type { ErrorCode, errorCodes } from '@petstore/contract';
import type { OperationId, RateLimit } from './types.ts';

/** The codes of errors that arise in the client, not at the server. */
export type ClientErrorCode =
  | 'invalid_input'
  | 'invalid_fetch'
  | 'callback_failed'
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_reply'
  | 'inexact_integer';

/** What an error is made of; a `body` is for an `UnexpectedReplyError`. */
export type ErrorDetails = Pick<PetstoreError, 'operation' | 'code' | 'attempts'> &
  Partial<Omit<PetstoreError, keyof Error | 'isPetstoreError'>> & { readonly body?: unknown };

/** What every call of the client throws, but for the reason of an `AbortSignal`. It never contains the API key. */
export class PetstoreError extends Error {
  // Stated in each class, so that minified ones keep it; no field, because SWC would assign it, which fails.
  static override get name(): string {
    return 'PetstoreError';
  }
  /** The operation that was called. */
  declare readonly operation: OperationId;
  /** Machine-readable. `errorCode` lists the known ones with their meaning; new ones may appear at any time. */
  declare readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** The method of the request; `undefined` if there was none. */
  declare readonly method: string | undefined;
  /** The address of the request, without the key; `undefined` if there was none. */
  declare readonly url: string | undefined;
  /** The headers of the response, without the key; `undefined` if there was no response. */
  declare readonly headers: Headers | undefined;
  /** The HTTP status; `undefined` if there was no response. */
  declare readonly status: number | undefined;
  /** The `X-Request-Id` of the last response: quote it to support. */
  declare readonly requestId: string | undefined;
  /** The quota as of the last response. */
  declare readonly rateLimit: RateLimit | undefined;
  /** Seconds to wait before calling again, counted from the moment this is thrown; `undefined` if not known. */
  declare readonly retryAfter: number | undefined;
  /** Requests that the call sent; 0 if it was refused before the first. */
  declare readonly attempts: number;

  constructor(message: string, details: ErrorDetails, options?: { cause?: unknown }) {
    super(message, options);
    Object.assign(this, details);
  }

  // Not a field: what a stack begins with is read before fields are set.
  override get name(): string {
    return this.constructor.name;
  }

  /** Tells these errors from all others, whichever copy of this package made them. */
  get isPetstoreError(): true {
    return true;
  }

  /** By name, because one program may load both copies of this package: the ES module and CommonJS. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    let kind = value as PetstoreError | null | undefined;
    while (kind?.isPetstoreError && kind.constructor.name !== this.name)
      kind = Object.getPrototypeOf(kind) as PetstoreError;
    return !!kind?.isPetstoreError;
  }
}

/** An error of a call: what went wrong comes after the operation. */
export function failure<Kind extends PetstoreError>(
  Class: new (message: string, details: ErrorDetails, options?: { cause?: unknown }) => Kind,
  about: Omit<ErrorDetails, 'code'>,
  code: string,
  what: string,
  cause?: unknown,
): Kind {
  return new Class(`${about.operation}: ${what}`, { ...about, code }, cause ? { cause } : undefined);
}

type ErrorStatus = (typeof errorCodes)[ErrorCode];

/** By status and not by an alias, because editors would show that in place of the codes. */
type Codes = {
  [Status in ErrorStatus]: {
    [Code in ErrorCode]: (typeof errorCodes)[Code] extends Status ? Code : never;
  }[ErrorCode];
};

interface StatusError<Status extends ErrorStatus> extends PetstoreError {
  readonly status: Status;
  readonly code: Codes[Status] | (string & {});
}

class ApiErrorBase extends PetstoreError {
  static override get name(): string {
    return 'ApiError';
  }
}

/** The API refused the call, for one of the reasons in the contract. Narrow it by `status`, then by `code`. */
export type ApiError =
  RateLimitError | { [S in Exclude<ErrorStatus, 429>]: StatusError<S> }[Exclude<ErrorStatus, 429>];

/** The API refused the call, for one of the reasons in the contract. Narrow it by `status`, then by `code`. */
export const ApiError = ApiErrorBase as unknown as {
  new (message: string, details: ErrorDetails): ApiError;
  readonly prototype: ApiError;
};

/** 429 (RFC 6585 §4): a quota is used up, or the key is banned. With `attempts: 0` nothing was sent. */
export class RateLimitError extends ApiErrorBase {
  static override get name(): string {
    return 'RateLimitError';
  }
  declare readonly status: 429;
  declare readonly code: Codes[429] | (string & {});
  /** Seconds to wait before calling again, counted from the moment this is thrown. */
  declare readonly retryAfter: number;
}

/** Something responded, but not as the contract says: see `UndeclaredReply`. The operation may have taken place. */
export class UnexpectedReplyError extends PetstoreError {
  static override get name(): string {
    return 'UnexpectedReplyError';
  }
  declare readonly status: number;
  /** What arrived: parsed if it was JSON, otherwise its text; `undefined` if nothing did. */
  declare readonly body: unknown;
}

/** No complete response arrived; the operation may have taken place. `cause` says why, without the key. */
export class ConnectionError extends PetstoreError {
  static override get name(): string {
    return 'ConnectionError';
  }
}

/** No complete response arrived in time. */
export class TimeoutError extends ConnectionError {
  static override get name(): string {
    return 'TimeoutError';
  }
}

/** An argument cannot be sent as it is. There was no request. */
export class InputError extends PetstoreError {
  static override get name(): string {
    return 'InputError';
  }
}

/** The response has an integer beyond ±(2^53−1), which a JavaScript number would round (RFC 8259 §6). */
export class InexactIntegerError extends PetstoreError {
  static override get name(): string {
    return 'InexactIntegerError';
  }
}
