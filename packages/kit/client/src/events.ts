import type { OperationId, RateLimit } from './types.ts';

/** A request is about to be sent. */
export interface RequestEvent {
  readonly operation: OperationId;
  /** Which request of its call this is, from 1. */
  readonly attempt: number;
  readonly method: string;
  /** May be changed. The key goes to the address that this ends up as. */
  url: string;
  /** By their names in small letters; others are made so. May be changed. Those that carry the key are added afterwards, if not set here. */
  readonly headers: Record<string, string>;
}

/** The headers of a response have arrived. */
export interface ResponseEvent extends Omit<Readonly<RequestEvent>, 'headers'> {
  readonly status: number;
  /** Those of the response. */
  readonly headers: Headers;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Seconds to wait before the next call, if the response asks for that. */
  readonly retryAfter: number | undefined;
  /** Milliseconds from the request to the headers of its response. */
  readonly duration: number;
}

/** A call will be tried again. */
export interface RetryEvent extends Omit<Readonly<RequestEvent>, 'headers'> {
  /** Milliseconds until the next attempt, at the least. */
  readonly delay: number;
  /** The status that led to this; `undefined` if there was no complete response. */
  readonly status: number | undefined;
}

/** A response says that its operation is deprecated. */
export interface DeprecationEvent extends Omit<Readonly<RequestEvent>, 'headers'> {
  /** Since when (RFC 9745). */
  readonly since: Date | undefined;
  /** When the operation goes away (RFC 8594). */
  readonly sunset: Date | undefined;
  /** The `Link` header: where this is documented (RFC 8288). */
  readonly link: string | undefined;
}
