import { responseProblem } from '#advice';
import type { CallState, Received } from './call-state.ts';
import { deprecationOf } from './deprecation.ts';
import { CallError, type ConnectionError } from './errors.ts';
import { noResponse } from './no-response.ts';
import { notify } from './notify.ts';
import { redactHeaders } from './redact.ts';
import { requestOf } from './request.ts';
import { header, retryAfterOf } from './response-headers.ts';
import { startTimer } from './timer.ts';
import type { RateLimit } from './types.ts';

/** Sends a request that the queue has admitted, and reads its response. Returns an error if another attempt may help. */
export async function attempt<Outcome extends Received>(call: CallState): Promise<Outcome | ConnectionError> {
  const { about, client, outgoing, signal, timeout, left } = call;
  const { clock, session } = client;
  const rest = left();
  const timer = startTimer(Math.min(timeout, rest), signal);
  about.attempts++;
  let outcome: Outcome | undefined;
  try {
    let response: Response | undefined;
    let rateLimit: RateLimit | undefined;
    try {
      response = await timer.race(send(call, timer.signal));
    } finally {
      // Those that wait go on after this turn, in which the window learns.
      session.queue.leave();
      rateLimit = session.window.learn(response, clock.now());
    }
    const received = receive(call, response, rateLimit);
    outcome = await timer.race(Promise.resolve(outgoing.read(received, call) as Outcome));
    return outcome;
  } catch (error) {
    if (error instanceof CallError) throw error;
    if (signal?.aborted) throw signal.reason;
    return noResponse(
      call,
      timer.signal.aborted ? (rest > timeout ? 'timeout' : 'budget') : undefined,
      error,
    );
  } finally {
    timer.end(outgoing.isUnread && !!outcome);
  }
}

async function send(call: CallState, signal: AbortSignal): Promise<Response> {
  const request = await requestOf(call, signal);
  // An injected fetch may not look at the signal.
  if (signal.aborted) throw signal.reason;
  notify(call, 'request');
  call.sentAt = call.client.clock.now();
  const response = await (call.client.fetch ?? fetch)(...request);
  const problem = responseProblem(response);
  if (problem) throw new TypeError(problem);
  return response;
}

function receive(call: CallState, response: Response, rateLimit: RateLimit | undefined): Received {
  const { about, client, hide, sentAt } = call;
  const { clock, session } = client;
  const { status, headers } = response;
  const now = clock.now();
  const wait = status === 429 ? session.window.waitFor(now) : retryAfterOf(headers, now);
  const known = {
    ...about,
    status,
    requestId: header(headers, 'x-request-id'),
    rateLimit,
    retryAfter: Math.ceil(wait / 1000) || undefined,
  };
  notify(call, 'onResponse', () => {
    // A server may respond with what it was sent.
    const safe = redactHeaders(headers, hide);
    return { ...known, headers: safe, requestId: header(safe, 'x-request-id'), duration: now - sentAt };
  });
  const deprecation = deprecationOf(headers);
  if (deprecation) notify(call, 'onDeprecation', () => deprecation);
  return { response, about: known };
}
