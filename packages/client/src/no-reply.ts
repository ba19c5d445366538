import type { Client } from './client.ts';
import { ConnectionError, RateLimitError, TimeoutError } from './errors.ts';
import type { PreparedCall } from './prepare.ts';
import { redactError } from './redact.ts';

/** Why a request had no complete response: `timedOut`, or what `fetch` threw. */
export function noResponse(
  { pacing, apiKey, fetch }: Client,
  { operation, attempts }: PreparedCall,
  timedOut: boolean,
  thrown?: unknown,
): ConnectionError {
  const details = { operation, rateLimit: pacing.rateLimit, attempts };
  if (timedOut) return new TimeoutError(`${operation}: no response in time`, { ...details, code: 'timeout' });
  const cause = fetch ? redactError(thrown, apiKey) : thrown;
  return new ConnectionError(
    `${operation}: no response`,
    { ...details, code: 'connection_failed' },
    { cause },
  );
}

/** Why pacing did not admit a call within its budget. Throws the reason of the call's signal if that aborted. */
export function notSent(client: Client, call: PreparedCall): RateLimitError | ConnectionError {
  const { pacing } = client;
  const { operation, attempts, signal } = call;
  signal?.throwIfAborted();
  const retryAfter = Math.ceil(pacing.pause() / 1000);
  if (retryAfter <= 0) return noResponse(client, call, true);
  return new RateLimitError(`${operation}: not sent: it has to wait ${retryAfter} s`, {
    operation,
    code: pacing.refusalCode,
    status: 429,
    rateLimit: pacing.rateLimit,
    retryAfter,
    attempts,
  });
}
