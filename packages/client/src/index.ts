export { createPetstore } from './create-petstore.ts';
export { errorCode, type ErrorCode } from './error-code.ts';
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
export type { Clock, Environment, Hook, PetstoreOptions } from './options.ts';
export type {
  ApiErrorCode,
  Call,
  CallOptions,
  Data,
  DeclaredReply,
  Input,
  Int64,
  Limits,
  OperationId,
  Order,
  Pet,
  Petstore,
  RateLimit,
  Reply,
  ReplyBase,
  Schemas,
  UndeclaredReply,
} from './types.ts';
