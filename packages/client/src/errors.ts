import type { ErrorCode, errorCodes } from '@petstore/contract';
import type { OperationId, RateLimit } from './types.ts';

/** The codes of errors that arise in the client, not at the server. */
export type ClientErrorCode =
  | 'invalid_input'
  | 'invalid_fetch'
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_reply'
  | 'inexact_integer';

export interface ErrorDetails {
  readonly operation: OperationId;
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  readonly attempts: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly retryAfter?: number | undefined;
  readonly body?: unknown;
}

/** What every call of the client throws, but for the reason of an `AbortSignal`. It never contains the API key. */
export class PetstoreError extends Error {
  override name = 'PetstoreError';
  /** The operation that was called. */
  declare readonly operation: OperationId;
  /** Machine-readable. `errorCode` lists the known ones with their meaning; new ones may appear at any time. */
  declare readonly code: ErrorCode | ClientErrorCode | (string & {});
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
}

type ErrorStatus = (typeof errorCodes)[ErrorCode];

type CodeOf<Status> = {
  [Code in ErrorCode]: (typeof errorCodes)[Code] extends Status ? Code : never;
}[ErrorCode];

interface StatusError<Status extends ErrorStatus> extends PetstoreError {
  readonly status: Status;
  readonly code: CodeOf<Status> | (string & {});
}

class ApiErrorBase extends PetstoreError {
  override name = 'ApiError';
}

/** The API refused the call, for one of the reasons in the contract. Narrow it by `status`, then by `code`. */
export type ApiError =
  RateLimitError | { [S in Exclude<ErrorStatus, 429>]: StatusError<S> }[Exclude<ErrorStatus, 429>];

/** The API refused the call, for one of the reasons in the contract. Narrow it by `status`, then by `code`. */
export const ApiError = ApiErrorBase as unknown as {
  new (message: string, details: ErrorDetails): ApiError;
  readonly prototype: ApiError;
};

/**
 * 429 (RFC 6585 §4): a quota is used up, or the key is banned (`api_key_banned`). With `attempts: 0` the client
 * itself refused, and nothing was sent: the server had asked it to wait for longer than the call's budget, or many
 * calls in a row had been given up before their responses, which may have been refusals.
 */
export class RateLimitError extends ApiErrorBase {
  override name = 'RateLimitError';
  declare readonly status: 429;
  declare readonly code: CodeOf<429> | (string & {});
  /** Seconds to wait before calling again, counted from the moment this is thrown. */
  declare readonly retryAfter: number;
}

/** Something responded, but not as the contract says: see `UndeclaredReply`. The operation may have taken place. */
export class UnexpectedReplyError extends PetstoreError {
  override name = 'UnexpectedReplyError';
  declare readonly status: number;
  /** What arrived: parsed if it was JSON, otherwise its text; `undefined` if nothing did. */
  declare readonly body: unknown;
}

/**
 * No complete response arrived. `cause` is what `fetch` threw; if it was injected, a copy with name, message and code,
 * because the rest may show the key. The operation may have taken place.
 */
export class ConnectionError extends PetstoreError {
  override name = 'ConnectionError';
}

/** No complete response arrived in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** An argument cannot be sent as it is. There was no request. */
export class InputError extends PetstoreError {
  override name = 'InputError';
}

/** The response has an integer beyond ±(2^53−1), which a JavaScript number would round (RFC 8259 §6). */
export class InexactIntegerError extends PetstoreError {
  override name = 'InexactIntegerError';
}
