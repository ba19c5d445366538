export { createPetstore } from './create-petstore.ts';
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
export type { Environment, PetstoreOptions } from './options.ts';
export type {
  ApiErrorCode,
  Call,
  CallOptions,
  Data,
  DeclaredReply,
  Input,
  Int64,
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
