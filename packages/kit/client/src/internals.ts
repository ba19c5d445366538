import type { Send } from './call.ts';
import type { AnyReply } from './reply.ts';

/** Where a client keeps what `/stream` needs. Registered, so that it is the same for the ES module and CommonJS. */
export const INTERNALS = Symbol.for('@petstore/client');

export interface Internals {
  readonly send: Send;
  /** Here, so that `/stream` throws the very classes that the main entry exports. */
  readonly dataOf: (reply: AnyReply) => unknown;
  readonly timeout: number;
}
