import type { failure, InexactIntegerError, TimeoutError, UnexpectedReplyError } from './errors.ts';
import type { AnyReply } from './reply.ts';
import type { CallOptions } from './types.ts';

/** The key of a client's internals for `stream`. Registered, so that it is the same for the ES module and CommonJS. */
export const INTERNALS = Symbol.for('@kit/client');

export type Given = Readonly<Record<string, unknown>>;

/** Performs one call of an operation, retries included. `isStreamed` leaves the body of a success unread. */
export type Send = (
  operation: string,
  input?: Given,
  options?: CallOptions,
  isStreamed?: boolean,
) => Promise<AnyReply>;

export interface Internals {
  readonly send: Send;
  readonly dataOf: (reply: AnyReply) => unknown;
  readonly timeout: number;
  /** Creates errors: `stream` is a separate bundle, and must throw the same classes. */
  readonly failure: typeof failure;
  readonly InexactIntegerError: typeof InexactIntegerError;
  readonly TimeoutError: typeof TimeoutError;
  readonly UnexpectedReplyError: typeof UnexpectedReplyError;
}
