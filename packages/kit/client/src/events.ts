import type { ReplyBase } from './types.ts';

interface AboutRequest {
  /** The operation; `undefined` for a request of `fetch`. */
  readonly operation: string | undefined;
  /** Which request of its call this is, from 1. */
  readonly attempt: number;
  readonly method: string;
  /** Without the key. */
  readonly url: string;
}

/** A request is about to be sent. */
export interface RequestEvent extends Omit<AboutRequest, 'url'> {
  /** May be changed. The key goes along only if this stays below `baseUrl`. */
  url: string;
  /** By lower-case name. May be changed. The key is added afterwards, unless it is set here. */
  readonly headers: Record<string, string>;
}

/** The headers of a response have arrived. */
export interface ResponseEvent
  extends AboutRequest, Pick<ReplyBase, 'status' | 'requestId' | 'rateLimit' | 'retryAfter'> {
  /** Those of the response. */
  readonly headers: Headers;
  /** Milliseconds from the request to the headers of its response. */
  readonly duration: number;
}

/** A call will be tried again. */
export interface RetryEvent extends AboutRequest {
  /** Milliseconds until the next attempt, at the least. */
  readonly delay: number;
  /** The status that led to this; `undefined` if there was no complete response. */
  readonly status: number | undefined;
}

/** A call is about to wait. `attempt` is the number of requests that it has sent. */
export interface WaitEvent extends AboutRequest {
  /** Milliseconds. */
  readonly delay: number;
  /** The quota is used up; the API rejected a request with 429; or a failed request will be repeated. */
  readonly reason: 'quota' | 'refused' | 'retry';
  /** When the wait ends. */
  readonly until: Date;
}

/** A response says that its operation is deprecated. */
export interface DeprecationEvent extends AboutRequest {
  /** Since when (RFC 9745). */
  readonly since: Date | undefined;
  /** When the operation will be removed (RFC 8594). */
  readonly sunset: Date | undefined;
  /** The `Link` header: where this is documented (RFC 8288). */
  readonly link: string | undefined;
}
