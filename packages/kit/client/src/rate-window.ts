import { rateLimitOf, retryAfterOf, timeUntil } from './response-headers.ts';
import type { RateLimit } from './types.ts';

/** The longest window of a quota, in milliseconds. A nonsensical date would put a reset years away. */
const DAY = 86_400_000;

/** Requests at once if responses show no limits: rejecting all of them is far from any plan's ban. */
const UNDISCLOSED_REMAINING = 16;

type Learnt = Pick<Response, 'status' | 'headers'>;

/** The known quota of a key. It has no clock: `now` is in milliseconds by the client's. */
export interface RateWindow {
  /** Learns from a response, or from a request that had none. Returns the quota that the response states. */
  learn(response: Learnt | undefined, now: number): RateLimit | undefined;
  /** Milliseconds until the next request; 0 or less if it may be sent now. */
  waitFor(now: number): number;
  /** Why: the API rejected a request, or the quota is used up. */
  reason(now: number): 'refused' | 'quota';
  /** Requests that may be under way at once. */
  capacity(now: number): number;
  /** The quota in the last response that had one. */
  readonly rateLimit: RateLimit | undefined;
}

/** Until a response states the quota, and after each window and rejection, one request at a time is sent to learn it. */
export function createRateWindow(): RateWindow {
  let remaining = 1;
  // By the server's clock: it tells windows apart. `end` is by ours.
  let reset = 0;
  let end = 0;
  let rateLimit: RateLimit | undefined;
  let pausedUntil = 0;
  let refusals = 0;

  return {
    learn(response, now) {
      const stated = response && rateLimitOf(response.headers);
      rateLimit = stated ?? rateLimit;
      const resetIn = stated ? Math.min(DAY, timeUntil(stated.reset * 1000, response.headers, now)) : 0;
      if (response?.status === 429) {
        // Concurrent requests are rejected together: that is one step of the backoff.
        if (now >= pausedUntil) refusals++;
        const backoff = 1000 + Math.random() * Math.min(60_000, 500 * 2 ** refusals);
        const wait = Math.max(backoff, retryAfterOf(response.headers, now), resetIn);
        pausedUntil = Math.max(pausedUntil, now + wait);
        end = 0;
      } else if (stated) {
        refusals = 0;
        const isNew = now >= end || stated.reset > reset;
        // Responses overtake each other: the lowest count is the latest.
        if (isNew || stated.reset === reset)
          remaining = Math.min(isNew ? Infinity : remaining, stated.remaining);
        if (isNew) [reset, end] = [stated.reset, now + resetIn];
      } else if (response && response.status < 300 && !reset)
        [remaining, end] = [UNDISCLOSED_REMAINING, Infinity];
      // The server may have counted a request whose response was lost.
      else if (remaining > 1) remaining--;
      return stated;
    },
    waitFor: (now) => Math.max(pausedUntil, remaining < 1 ? end : 0) - now,
    reason: (now) => (pausedUntil > now ? 'refused' : 'quota'),
    capacity: (now) => (now < end ? remaining : 1),
    get rateLimit() {
      return rateLimit;
    },
  };
}
