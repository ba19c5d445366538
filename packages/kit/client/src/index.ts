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
export type * from './events.ts';
export type { Clock, Environment, Fetch, FetchInit, Hook, Logger, PetstoreOptions } from './options.ts';
export type { Petstore } from './petstore.ts';
export type * from './types.ts';
