import { attempt } from './attempt.ts';
import { clientOf } from './client.ts';
import { notSent } from './no-reply.ts';
import type { PetstoreOptions } from './options.ts';
import { prepare } from './prepare.ts';
import type { AnyReply } from './reply.ts';
import { mayRetry } from './retry.ts';
import type { CallOptions, OperationId } from './types.ts';

/** Performs one call of any operation, retries included. `streamed` leaves the body of a success unread. */
export type Send = (
  operation: OperationId,
  input?: Readonly<Record<string, unknown>>,
  options?: CallOptions,
  streamed?: boolean,
) => Promise<AnyReply>;

/** The life of a call: prepared once; then admitted, attempted and judged, until there is no reason to try again. */
export function createSend(options: PetstoreOptions): Send {
  const client = clientOf(options);
  return async (operation, input, callOptions = {}, streamed = false) => {
    const call = prepare(client, operation, input, callOptions, streamed);
    try {
      let outcome;
      do {
        if (!(await client.pacing.admit(call.deadline, call.timer))) throw notSent(client, call);
        outcome = await attempt(client, call);
      } while (await mayRetry(client, call, outcome));
      if (outcome instanceof Error) throw outcome;
      return outcome;
    } finally {
      call.timer.end();
    }
  };
}
