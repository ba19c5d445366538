import { rateLimitOf, retryAfterOf, timeUntil } from './response-headers.ts';
import type { RateLimit } from './types.ts';

/** The longest window of a quota, in milliseconds. A nonsensical date would put a reset years away. */
const DAY = 86_400_000;

/** Requests at once if responses show no limits: refusing all of them is far from any plan's ban. */
const UNDISCLOSED_REMAINING = 16;

type Learnt = Pick<Response, 'status' | 'headers'>;

/** What is known of a key's quota. It has no clock: `now` is in milliseconds by the client's. */
export interface RateWindow {
  /** Learns from a response, or from a request that had none. Returns the quota that the response states. */
  learn(response: Learnt | undefined, now: number): RateLimit | undefined;
  /** Milliseconds for which nothing may be sent; 0 or less if a request may be sent now. */
  waitFor(now: number): number;
  /** Why: the API refused a request, or the quota is used up. */
  reason(now: number): 'refused' | 'quota';
  /** Requests that may be under way at once. */
  capacity(now: number): number;
  /** The quota, as the last response that had one stated it. */
  readonly rateLimit: RateLimit | undefined;
}

/** Until a response states the quota, and after each window and refusal, one request at a time is sent to learn it. */
export function createRateWindow(): RateWindow {
  // `reset` is by the server's clock and tells windows apart; `end` is by ours.
  let window = { remaining: 1, reset: 0, end: 0 };
  let rateLimit: RateLimit | undefined;
  let pausedUntil = 0;
  let refusals = 0;

  function refuse({ headers }: Learnt, resetIn: number, now: number): void {
    // Requests that were under way together are refused together: that is one step of the backoff.
    if (now >= pausedUntil) refusals++;
    const backoff = 1000 + Math.random() * Math.min(60_000, 500 * 2 ** refusals);
    pausedUntil = Math.max(pausedUntil, now + Math.max(backoff, retryAfterOf(headers, now), resetIn));
    window.end = 0;
  }

  function update({ remaining, reset }: RateLimit, resetIn: number, now: number): void {
    refusals = 0;
    if (now >= window.end || reset > window.reset) window = { remaining, reset, end: now + resetIn };
    // Responses overtake each other: the lowest count is the latest.
    else if (reset === window.reset) window.remaining = Math.min(window.remaining, remaining);
  }

  return {
    learn(response, now) {
      const stated = response && rateLimitOf(response.headers);
      rateLimit = stated ?? rateLimit;
      const resetIn = stated ? Math.min(DAY, timeUntil(stated.reset * 1000, response.headers, now)) : 0;
      if (response?.status === 429) refuse(response, resetIn, now);
      else if (stated) update(stated, resetIn, now);
      else if (response && response.status < 300 && !window.reset)
        window = { remaining: UNDISCLOSED_REMAINING, reset: 0, end: Infinity };
      // The server may have counted a request whose response was lost.
      else if (window.remaining > 1) window.remaining--;
      return stated;
    },
    waitFor: (now) => Math.max(pausedUntil, window.remaining < 1 ? window.end : 0) - now,
    reason: (now) => (pausedUntil > now ? 'refused' : 'quota'),
    capacity: (now) => (now < window.end ? window.remaining : 1),
    get rateLimit() {
      return rateLimit;
    },
  };
}
