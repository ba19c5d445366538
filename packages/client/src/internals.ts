import type { Send } from './call.ts';
import type { AnyReply } from './reply.ts';
import type { OperationId, Petstore } from './types.ts';

/**
 * Where a client keeps what the other entries of this package need of it. Registered, so that it is the same for the
 * ES module and the CommonJS one.
 */
export const INTERNALS = Symbol.for('@petstore/client');

export interface Internals {
  readonly send: Send;
  readonly dataOf: (operation: OperationId, reply: AnyReply) => unknown;
  readonly timeout: number | undefined;
}

/** Throws a TypeError if `createPetstore` has not made the client. */
export function internalsOf(petstore: Petstore): Internals {
  const internals = (petstore as { readonly [INTERNALS]?: Internals })[INTERNALS];
  if (!internals) throw new TypeError('petstore must come from createPetstore');
  return internals;
}
