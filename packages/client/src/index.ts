// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

import { knownCodes, namesOf, type NamesOf } from '@kit/client';
import { errorCodes } from '@petstore/contract';

export * from './client.ts';
export {
  CallError,
  /** The name of `CallError` in version 1.0. */
  CallError as PetstoreError,
  ConnectionError,
  InexactIntegerError,
  InputError,
  RateLimitError,
  TimeoutError,
  UnexpectedReplyError,
  type ClientErrorCode,
  type ErrorDetails,
} from '@kit/client';
export type {
  CallOptions,
  Clock,
  DeprecationEvent,
  Fetch,
  FetchInit,
  HeadersOption,
  HeaderValues,
  Hook,
  Int64,
  Limits,
  Logger,
  PacedFetch,
  RateLimit,
  Reply,
  ReplyBase,
  RequestEvent,
  ResponseEvent,
  Result,
  RetryEvent,
  WaitEvent,
} from '@kit/client';

/** The known codes of the API's errors, each with its meaning, to compare `error.code` with. */
export const errorCode: NamesOf<typeof errorCodes> = /* @__PURE__ */ namesOf(errorCodes);

/** Whether this version of the client knows the code, so that a `switch` over it can cover every case. */
export const isKnownCode = /* @__PURE__ */ knownCodes(errorCodes);
