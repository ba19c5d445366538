import type { Send } from './call.ts';
import type { AnyReply } from './reply.ts';

/**
 * Where a client keeps what the other entries of this package need of it. Registered, so that it is the same for the
 * ES module and the CommonJS one.
 */
export const INTERNALS = Symbol.for('@petstore/client');

export interface Internals {
  readonly send: Send;
  readonly dataOf: (reply: AnyReply) => unknown;
  readonly timeout: number;
}

/** Undefined if `createPetstore` has not made the client. */
export function internalsOf(petstore: object): Internals | undefined {
  return (petstore as { readonly [INTERNALS]?: Internals })[INTERNALS];
}
