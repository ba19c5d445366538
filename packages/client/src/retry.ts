import type { Client } from './client.ts';
import type { ConnectionError } from './errors.ts';
import { notify } from './hooks.ts';
import type { PreparedCall } from './prepare.ts';
import type { AnyReply } from './reply.ts';

const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504];

/** Whether to try again after this outcome of an attempt: true once it is time to, false at once. */
export async function mayRetry(
  client: Client,
  call: PreparedCall,
  outcome: AnyReply | ConnectionError,
): Promise<boolean> {
  const { operation, attempts: attempt, timer } = call;
  const { status, retryAfter = 0 } = outcome;
  const isFinal = status !== undefined && !RETRIED_STATUSES.includes(status);
  if (isFinal || attempt >= call.maxAttempts || timer.signal.aborted) return false;

  const backoff = client.random() * Math.min(8000, 250 * 2 ** attempt);
  const delay = status === 429 ? client.pacing.pause() : Math.max(backoff, retryAfter * 1000);
  if (client.clock.now() + delay > call.deadline) return false;

  void notify(client.onRetry, { operation, attempt, delay, status });
  // A refusal pauses all calls of the client: admission waits for that. If the timer ends this wait, it ends that too.
  if (status !== 429) await timer.race(client.clock.sleep(delay, timer.signal)).catch(() => {});
  return true;
}
