export { createPetstore } from './create-petstore.ts';
export { errorCode, isKnownCode, type ErrorCode } from './error-code.ts';
export {
  ApiError,
  ConnectionError,
  InexactIntegerError,
  InputError,
  PetstoreError,
  RateLimitError,
  TimeoutError,
  UnexpectedReplyError,
  type ClientErrorCode,
} from './errors.ts';
export type { DeprecationEvent, RequestEvent, ResponseEvent, RetryEvent } from './events.ts';
export type { Clock, Environment, Fetch, FetchInit, Hook, Logger, PetstoreOptions } from './options.ts';
export type { Petstore } from './petstore.ts';
export type {
  Call,
  CallOptions,
  Data,
  DeclaredReply,
  HeadersOption,
  HeaderValues,
  Input,
  Int64,
  Limits,
  OperationId,
  Order,
  Pet,
  PetstoreMethods,
  RateLimit,
  Reply,
  ReplyBase,
  Schemas,
  UndeclaredReply,
} from './types.ts';
