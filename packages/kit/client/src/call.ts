import { attempt } from './attempt.ts';
import type { CallState, Outgoing, Received } from './call-state.ts';
import type { Client } from './client.ts';
import { CallError } from './errors.ts';
import { notSent } from './no-response.ts';
import { notify } from './notify.ts';
import { mayRetry } from './retry.ts';

/** A call is admitted, attempted and judged until there is no reason to try again. */
export async function perform<Outcome extends Received>(
  client: Client,
  outgoing: Outgoing<Outcome>,
): Promise<Outcome> {
  const { operation, method, url, options } = outgoing;
  const {
    timeout = client.timeout,
    budget = client.budget,
    maxAttempts = client.maxAttempts,
    signal,
  } = options;
  const end = performance.now() + budget;
  const call: CallState = {
    client,
    outgoing,
    timeout,
    budget,
    maxAttempts,
    signal,
    deadline: client.clock.now() + budget,
    left: () => end - performance.now(),
    onWait: (delay, reason) =>
      notify(call, 'onWait', () => ({ delay, reason, until: new Date(client.clock.now() + delay) })),
    about: { operation, method, url, attempts: 0 },
    sentAt: 0,
    hide: String,
  };
  for (;;) {
    if (!(await client.session.queue.enter(call))) throw notSent(call);
    const outcome = await attempt<Outcome>(call);
    if (await mayRetry(call, outcome)) continue;
    if (outcome instanceof CallError) throw outcome;
    return outcome;
  }
}
