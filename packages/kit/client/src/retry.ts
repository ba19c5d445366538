import type { CallState, Received } from './call-state.ts';
import { forgetKey } from './credentials.ts';
import type { ConnectionError } from './errors.ts';
import { notify } from './notify.ts';
import { startTimer } from './timer.ts';

/** Whether to try again after this outcome of an attempt: true once it is time to, false at once. */
export async function mayRetry(call: CallState, outcome: Received | ConnectionError): Promise<boolean> {
  const { about, client, deadline, outgoing, signal } = call;
  const { clock, session } = client;
  const { attempts: attempt, method } = about;
  const { status, retryAfter = 0 } = 'about' in outcome ? outcome.about : outcome;

  // Nothing has been done yet, and the key may only have expired.
  const isRefused = status === 401 && !!call.key && !call.hasAskedAgain;
  const mayPass = /^(undefined|408|429|50[0234])$/.test(`${status}`);
  // What a POST or PATCH has done once must not be done again (RFC 9110 §9.2.2), unless the server can tell.
  const isRepeatable = call.kept ?? !/^P(OST|ATCH)$/.test(method);
  if (!isRefused && !(mayPass && isRepeatable && attempt < call.maxAttempts)) return false;

  const backoff = isRefused ? 0 : Math.random() * Math.min(8000, 250 * 2 ** attempt);
  const delay = status === 429 ? session.window.waitFor(clock.now()) : Math.max(backoff, retryAfter * 1000);
  // A timer may fire within a millisecond before its time.
  if (clock.now() + delay > deadline || call.left() <= 1) return false;

  if (isRefused) {
    call.hasAskedAgain = true;
    forgetKey(session, call.key);
  }
  notify(call, 'onRetry', () => ({ delay, status }));
  if ('response' in outcome && outgoing.isUnread) void outcome.response.body?.cancel();
  // A refusal pauses all calls of the client: the queue waits for that. If this wait ends early, the queue ends it too.
  if (status !== 429) {
    if (delay > 0) call.onWait(delay, 'retry');
    const timer = startTimer(call.left(), signal);
    await timer.race(clock.sleep(delay, timer.signal)).catch(() => {});
    timer.end();
  }
  return true;
}
