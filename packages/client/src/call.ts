import { operations } from '@petstore/contract';
import { platformClock } from './clock.ts';
import { ConnectionError, PetstoreError, RateLimitError, TimeoutError } from './errors.ts';
import { exchange, notify } from './exchange.ts';
import { requestParts } from './input.ts';
import { addressOf, type PetstoreOptions } from './options.ts';
import { createPacing } from './pacing.ts';
import { redactError } from './redact.ts';
import { codeOf, type AnyReply } from './reply.ts';
import { startTimer, type Timer } from './timer.ts';
import type { CallOptions, OperationId } from './types.ts';

/** Performs one call of any operation, retries included. `streamed` leaves the body of a success unread. */
export type Send = (
  operation: OperationId,
  input?: Readonly<Record<string, unknown>>,
  options?: CallOptions,
  streamed?: boolean,
) => Promise<AnyReply>;

const RETRIED = [408, 429, 500, 502, 503, 504];

export function createSend(client: PetstoreOptions): Send {
  const { apiKey, clock = platformClock, random = Math.random } = client;
  const baseUrl = addressOf(client);
  // Checked here, because the TypeError that `Headers` throws for a malformed value contains the value.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey must be printable ASCII');
  const pacing = createPacing(clock, random);
  let refusedAs = 'rate_limit_exceeded';

  return async (operation, input, options = {}, streamed) => {
    const { signal } = options;
    const { method } = operations[operation];
    const { target, body } = requestParts(operation, input);
    const url = baseUrl + target;
    const budget = options.budget ?? client.budget ?? 90_000;
    const timeout = options.timeout ?? client.timeout ?? 30_000;
    const maxAttempts = /^P(OST|ATCH)$/.test(method) ? 1 : (options.maxAttempts ?? client.maxAttempts ?? 4);
    const deadline = clock.now() + budget;
    const whole = startTimer(budget, signal);
    let attempt = 0;

    function failed(timer: Timer, cause?: unknown): unknown {
      if (signal?.aborted) return signal.reason;
      const details = { operation, attempts: attempt, rateLimit: pacing.rateLimit };
      return timer.signal.aborted
        ? new TimeoutError(`${operation}: no answer in time`, { ...details, code: 'timeout' })
        : new ConnectionError(
            `${operation}: no answer`,
            { ...details, code: 'connection_failed' },
            { cause: client.fetch ? redactError(cause, apiKey) : cause },
          );
    }

    function paused(): unknown {
      const retryAfter = Math.ceil(pacing.pause() / 1000);
      if (signal?.aborted || retryAfter <= 0) return failed(whole);
      return new RateLimitError(`${operation}: not sent, because it has to wait for ${retryAfter} s`, {
        operation,
        status: 429,
        code: refusedAs,
        attempts: attempt,
        rateLimit: pacing.rateLimit,
        retryAfter,
      });
    }

    try {
      for (;;) {
        // Only the timer makes this reject.
        if (!(await pacing.admit(deadline, whole).catch(() => false))) throw paused();
        attempt++;
        const single = startTimer(timeout, whole.signal);
        let reply: AnyReply | undefined;
        let cause: unknown;
        try {
          const event = { operation, attempt, method, url };
          reply = await exchange(event, body, streamed, { ...client, clock }, pacing, single);
        } catch (error) {
          if (error instanceof PetstoreError) throw error;
          cause = error;
        } finally {
          single.end();
        }
        const status = reply?.status;
        if (reply && status === 429) refusedAs = codeOf(reply.body, status) ?? refusedAs;
        const again =
          attempt < maxAttempts &&
          !whole.signal.aborted &&
          (status === undefined || RETRIED.includes(status));
        const backoff = random() * Math.min(8000, 250 * 2 ** attempt);
        const delay = status === 429 ? pacing.pause() : Math.max(backoff, (reply?.retryAfter ?? 0) * 1000);
        if (!again || clock.now() + delay > deadline) {
          if (reply) return reply;
          throw failed(single, cause);
        }
        void notify(client.onRetry, { operation, attempt, delay, status });
        if (status !== 429) await whole.race(clock.sleep(delay, whole.signal)).catch(() => {});
      }
    } finally {
      whole.end();
    }
  };
}
