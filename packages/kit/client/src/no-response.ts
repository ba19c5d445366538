import { flawOf } from '#advice';
import {
  ConnectionError,
  failure,
  CallError,
  RateLimitError,
  TimeoutError,
  type ErrorDetails,
} from './errors.ts';
import type { CallState } from './call-state.ts';
import { redactError } from './redact.ts';

/** Why a request had no complete response. It is thrown here if another attempt would end alike. */
export function noResponse(
  { about, client, hide, timeout, budget }: CallState,
  limit: 'timeout' | 'budget' | undefined,
  thrown?: unknown,
  ofStream?: Omit<ErrorDetails, 'code'>,
): ConnectionError {
  const details = ofStream ?? { ...about, rateLimit: client.session.window.rateLimit };
  if (limit) {
    const what = `no response within the ${limit} of ${limit === 'timeout' ? timeout : budget} ms`;
    return failure(TimeoutError, details, 'timeout', what);
  }

  const copy = redactError(thrown, hide);
  let root = copy;
  while (root.cause) root = root.cause as typeof copy;
  const { message: why } = root;
  const flaw = flawOf(root);
  const cause = client.fetch ? copy : thrown;
  if (flaw === 'of the program')
    throw failure(CallError, details, 'invalid_fetch', `fetch failed: ${why}`, cause);
  const what = `${ofStream ? 'the list broke off' : `no response from ${about.url}`}: ${why}`;
  const error = failure(ConnectionError, details, 'connection_failed', what, cause);
  if (flaw) throw error;
  return error;
}

/** Why the queue did not admit a call within its budget. Throws the reason of the call's signal if that aborted. */
export function notSent(call: CallState): RateLimitError | ConnectionError {
  const { about, client, signal } = call;
  const { clock, session } = client;
  const { window, refusalCode } = session;
  if (signal?.aborted) throw signal.reason;
  const retryAfter = Math.ceil(window.waitFor(clock.now()) / 1000);
  if (retryAfter <= 0) return noResponse(call, 'budget');
  const details = { ...about, status: 429, rateLimit: window.rateLimit, retryAfter };
  const what = `429 ${refusalCode}: not sent, because it has to wait ${retryAfter} s`;
  return failure(RateLimitError, details, refusalCode, what);
}
