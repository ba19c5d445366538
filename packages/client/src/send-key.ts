import type { Send } from './call.ts';
import type { AnyReply } from './reply.ts';
import type { OperationId, Petstore } from './types.ts';

/**
 * Where a client keeps what performs its calls, for the other entries of this package. Registered, so that it is the
 * same for the ES module and the CommonJS one.
 */
export const SEND = Symbol.for('@petstore/client');

export interface Sender {
  readonly send: Send;
  readonly dataOf: (operation: OperationId, reply: AnyReply) => unknown;
  readonly timeout: number | undefined;
}

/** What performs the calls of a client. Throws a TypeError if `createPetstore` has not made it. */
export function senderOf(petstore: Petstore): Sender {
  const sender = (petstore as { readonly [SEND]?: Sender })[SEND];
  if (!sender) throw new TypeError('petstore must come from createPetstore');
  return sender;
}
