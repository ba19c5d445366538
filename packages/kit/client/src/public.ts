/* What every client exports as it is. */

export {
  CallError,
  ConnectionError,
  InexactIntegerError,
  InputError,
  RateLimitError,
  TimeoutError,
  UnexpectedReplyError,
  type ClientErrorCode,
  type ErrorDetails,
} from './errors.ts';
export type { PacedFetch } from './create-fetch.ts';
export type * from './events.ts';
export type { Clock, Fetch, FetchInit, Hook, Logger } from './options.ts';
export type { CallOptions, HeadersOption, HeaderValues, Int64, Limits } from './types.ts';
export type { RateLimit, Reply, ReplyBase, Result } from './types.ts';
