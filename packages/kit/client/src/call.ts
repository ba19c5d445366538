import { attempt } from './attempt.ts';
import type { Client } from './client.ts';
import { notSent } from './no-reply.ts';
import { prepare } from './prepare.ts';
import type { AnyReply } from './reply.ts';
import { mayRetry } from './retry.ts';
import type { CallOptions, OperationId } from './types.ts';

/** Performs one call of an operation, retries included. `streamed` leaves the body of a success unread. */
export type Send = (
  operation: OperationId,
  input?: Readonly<Record<string, unknown>>,
  options?: CallOptions,
  streamed?: boolean,
) => Promise<AnyReply>;

/** A call is prepared once, then admitted, attempted and judged until there is no reason to try again. */
export function createSend(client: Client): Send {
  return async (operation, input, options = {}, streamed) => {
    const call = prepare(client, operation, input, options, streamed);
    for (;;) {
      if (!(await call.session.admit(call))) throw notSent(call);
      const outcome = await attempt(call);
      if (await mayRetry(call, outcome)) continue;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    }
  };
}
