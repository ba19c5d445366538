import { noResponse } from '#platform';
import type { About, Call, Outgoing, Received } from './call-state.ts';
import type { Client } from './client.ts';
import { CallError, failure, RateLimitError, TimeoutError, type ConnectionError } from './errors.ts';
import type { WaitEvent } from './events.ts';
import { notify } from './notify.ts';
import { redactHeaders } from './redact.ts';
import { requestOf } from './request.ts';
import { deprecationOf, retryAfterOf } from './response-headers.ts';
import { startTimer } from './timer.ts';

/** A call, and what only its own steps use of it. */
interface Running<Outcome extends Received = Received> extends Call {
  readonly read: Outgoing<Outcome>['read'];
  /** Whether the function `apiKey` was called again: once is enough. */
  hasAskedAgain?: boolean;
}

/** A call is admitted, attempted and judged until no retry is needed. */
export async function perform<Outcome extends Received>(
  client: Client,
  outgoing: Outgoing<Outcome>,
): Promise<Outcome> {
  const { options, operation, method, url } = outgoing;
  const about: About = { operation, method, url, attempts: 0 };
  const deadline = client.clock.now() + (options.budget ?? client.budget);
  const onWait = (delay: number, reason: WaitEvent['reason']) =>
    notify(call, 'onWait', () => ({ delay, reason, until: new Date(call.clock.now() + delay) }));
  // Options that are not the client's may have any name.
  const own = { about, deadline, onWait, hide: String, fetch: client.fetch, session: client.session };
  const call = Object.assign(Object.create(client) as Client, options, outgoing, own) as Running<Outcome>;

  for (;;) {
    if (!(await client.session.enter(call))) throw notSent(call);
    const outcome = await attempt(call);
    if (await mayRetry(call, outcome)) continue;
    if (outcome instanceof CallError) throw outcome;
    return outcome;
  }
}

const details = (call: Call) => ({ ...call.about, rateLimit: call.session.window.rateLimit });

const late = (call: Call, limit: 'timeout' | 'budget') =>
  failure(TimeoutError, details(call), 'timeout', `no response within the ${limit} of ${call[limit]} ms`);

/** Why the queue did not admit the call. */
function notSent(call: Call): RateLimitError | ConnectionError {
  const { session } = call;
  call.signal?.throwIfAborted();
  const retryAfter = Math.ceil(session.window.waitFor(call.clock.now()) / 1000);
  if (retryAfter <= 0) return late(call, 'budget');
  const { refusalCode } = session;
  const what = `429 ${refusalCode}: not sent, wait ${retryAfter} s`;
  return failure(RateLimitError, { ...details(call), status: 429, retryAfter }, refusalCode, what);
}

/** Sends a request, and reads its response. Returns an error if another attempt may help. */
async function attempt<Outcome extends Received>(call: Running<Outcome>): Promise<Outcome | ConnectionError> {
  const { about, clock, deadline, session, signal, timeout } = call;
  const left = deadline - clock.now();
  const timer = startTimer(Math.min(timeout, left), signal);
  let sentAt = 0;
  const send = async () => {
    const request = await requestOf(call, timer.signal);
    // An injected fetch may ignore the signal.
    timer.signal.throwIfAborted();
    notify(call, 'request');
    sentAt = clock.now();
    return (call.fetch ?? fetch)(...request);
  };

  about.attempts++;
  try {
    let response: Response | undefined;
    let rateLimit;
    try {
      response = await timer.race(send());
    } finally {
      rateLimit = session.leave(response);
    }
    const { status, headers } = response;
    const now = clock.now();
    const wait = status === 429 ? session.window.waitFor(now) : retryAfterOf(headers, now);
    const retryAfter = Math.ceil(wait / 1000) || undefined;
    // A server may echo the request.
    const requestId = call.hide(headers.get('x-request-id') ?? '') || undefined;
    const known = { ...about, status, requestId, rateLimit, retryAfter };
    notify(call, 'onResponse', () => {
      return { ...known, headers: redactHeaders(headers, call.hide), duration: now - sentAt };
    });
    const deprecation = deprecationOf(headers);
    if (deprecation) notify(call, 'onDeprecation', () => deprecation);
    return await timer.race(call.read({ response, about: known }, call));
  } catch (error) {
    if (error instanceof CallError) throw error;
    signal?.throwIfAborted();
    if (timer.signal.aborted) return late(call, left > timeout ? 'timeout' : 'budget');
    return noResponse(call, details(call), `no response from ${about.url}`, error);
  } finally {
    timer.end(call.isUnread);
  }
}

/** Whether to retry after this outcome: true after the wait, false at once. */
async function mayRetry(call: Running, outcome: Received | ConnectionError): Promise<boolean> {
  const { clock, deadline, session } = call;
  const { attempts } = call.about;
  const { status, retryAfter = 0 } = 'about' in outcome ? outcome.about : outcome;
  // The request had no effect, and the key may only have expired.
  const isRefused = status === 401 && !call.hasAskedAgain && call.key;
  // 409 with a time: the first request with this idempotency key is still under way. Only the budget limits that wait.
  const isEarly = status === 409 && call.kept && retryAfter;
  const mayPass = isEarly || /^(undefined|408|429|50[0234])$/.test(`${status}`);
  // A POST or PATCH must not be repeated (RFC 9110 §9.2.2), unless the server recognizes the repetition.
  const isRepeatable = call.kept ?? !/^P(OST|ATCH)$/.test(call.method);
  if (!isRefused && !(mayPass && isRepeatable && (attempts < call.maxAttempts || (isEarly && attempts > 1))))
    return false;

  const now = clock.now();
  const backoff = isRefused ? 0 : Math.random() * Math.min(8000, 250 * 2 ** attempts);
  const delay = status === 429 ? session.window.waitFor(now) : Math.max(backoff, retryAfter * 1000);
  // A timer may fire up to a millisecond early.
  if (now + delay > deadline - 1) return false;

  if (isRefused) {
    call.hasAskedAgain = true;
    // Unless another call has already called it.
    if (session.key === call.key) session.key = undefined;
  }
  notify(call, 'onRetry', () => ({ delay, status }));
  if (call.isUnread) void (outcome as Partial<Received>).response?.body?.cancel();
  // A 429 pauses all calls of the client in the queue. If this wait ends early, the queue ends it too.
  if (status !== 429 && delay > 0) {
    call.onWait(delay, 'retry');
    const timer = startTimer(deadline - now, call.signal);
    await timer.race(clock.sleep(delay, timer.signal)).catch(() => {});
    timer.end();
  }
  return true;
}
