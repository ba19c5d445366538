import type * as errors from './errors.ts';
import type { AnyReply } from './reply.ts';
import type { CallOptions } from './types.ts';

/** The key of a client's internals for `stream`. Registered, so that it is the same for the ES module and CommonJS. */
export const INTERNALS = Symbol.for('@contract-kit/client');

export type Given = Readonly<Record<string, unknown>>;

/** Performs one call of an operation, retries included. `isStreamed` leaves the body of a success unread. */
export type Send = (
  operation: string,
  input?: Given,
  options?: CallOptions,
  isStreamed?: boolean,
) => Promise<AnyReply>;

/** Includes error classes: `stream` is a separate bundle, and must throw the same ones. */
export interface Internals extends Pick<
  typeof errors,
  'failure' | 'InexactIntegerError' | 'TimeoutError' | 'UnexpectedReplyError'
> {
  readonly send: Send;
  readonly dataOf: (reply: AnyReply) => unknown;
  readonly timeout: number;
}
