import type { OperationId, RateLimit } from './types.ts';

/** A request is about to be sent. */
export interface RequestEvent {
  readonly operation: OperationId;
  /** Which request of its call this is, from 1. */
  readonly attempt: number;
  readonly method: string;
  readonly url: string;
}

/** The headers of a response have arrived. */
export interface ResponseEvent extends RequestEvent {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Milliseconds from the request to the headers of its response. */
  readonly duration: number;
}

/** A call will be tried again. */
export interface RetryEvent {
  readonly operation: OperationId;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next attempt, at the least. */
  readonly delay: number;
  /** The status that led to this; `undefined` if there was no complete response. */
  readonly status: number | undefined;
}

/** A response says that its operation is deprecated. */
export interface DeprecationEvent {
  readonly operation: OperationId;
  /** Since when (RFC 9745). */
  readonly since: Date | undefined;
  /** When the operation goes away (RFC 8594). */
  readonly sunset: Date | undefined;
  /** The `Link` header: where this is documented (RFC 8288). */
  readonly link: string | undefined;
}
