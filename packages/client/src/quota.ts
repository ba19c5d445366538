import type { Clock } from './options.ts';
import { rateLimitOf, retryAfterOf, timeUntil } from './response-headers.ts';
import type { RateLimit } from './types.ts';

/** What a response says before its body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
}

/** What is known of the caller's quota. */
export interface Quota {
  /** As of the last response that told of it. */
  rateLimit?: RateLimit | undefined;
  /** Milliseconds for which nothing may be sent. */
  pause(): number;
  /** Requests that may be on their way at once, when there is no pause. */
  concurrency(): number;
  /**
   * Learns from the response to a request, or that none arrived: `abandoned` if nobody waited for it. Gives what the
   * response tells of the quota.
   */
  learn(response: Answer | undefined, abandoned: boolean): RateLimit | undefined;
}

// The longest window of a quota. By a date that makes no sense a reset would be years away.
const DAY = 24 * 60 * 60_000;

// Without limits in the responses: few enough that refusing all of them is far from any plan's ban.
const UNDISCLOSED_REMAINING = 16;

// Requests beyond the known quota that may be abandoned in a row without a pause. Each may have been refused, and a
// plan's ban takes 60 refusals in a minute.
const MAX_ABANDONED = 8;

/**
 * Until a response tells the quota, and again after each window and each refusal, one request at a time goes ahead to
 * learn it; then as many as remain.
 */
export function createQuota(clock: Clock, random: () => number): Quota {
  // `reset` is by the server's clock and tells windows apart; `end` is by ours.
  let window = { remaining: 1, reset: 0, end: 0 };
  let pausedUntil = 0;
  let refusals = 0;
  let abandonedInRow = 0;

  const pauseFor = (milliseconds: number) => {
    pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
  };

  const resetIn = ({ reset }: RateLimit, headers: Headers) =>
    Math.min(DAY, timeUntil(reset * 1000, headers, clock.now()));

  function refused(headers: Headers, told: RateLimit | undefined): void {
    // Many that were on their way together are refused together: that is one step of the backoff.
    if (clock.now() >= pausedUntil) refusals++;
    const backoff = 1000 + random() * Math.min(60_000, 500 * 2 ** refusals);
    pauseFor(Math.max(backoff, retryAfterOf(headers, clock.now()), told ? resetIn(told, headers) : 0));
    window.end = 0;
  }

  function allowed(told: RateLimit, headers: Headers): void {
    const { remaining, reset } = told;
    refusals = 0;
    if (clock.now() >= window.end || reset > window.reset) {
      window = { remaining, reset, end: clock.now() + resetIn(told, headers) };
    } else if (reset === window.reset) {
      // Responses overtake each other: the lowest is the latest.
      window.remaining = Math.min(window.remaining, remaining);
    }
  }

  const quota: Quota = {
    pause: () => Math.max(pausedUntil, window.remaining < 1 ? window.end : 0) - clock.now(),
    concurrency: () => (clock.now() < window.end ? window.remaining : 1),
    learn(response, abandoned) {
      const told = response && rateLimitOf(response.headers);
      quota.rateLimit = told ?? quota.rateLimit;
      if (response) abandonedInRow = 0;
      if (response?.status === 429) refused(response.headers, told);
      else if (told) allowed(told, response.headers);
      else if (response && response.status < 300 && !window.reset)
        window = { ...window, remaining: UNDISCLOSED_REMAINING, end: Infinity };
      // It may have been counted all the same.
      else if (window.remaining > 1) window.remaining--;
      else if (abandoned && ++abandonedInRow > MAX_ABANDONED)
        pauseFor(Math.min(16_000, 500 * 2 ** (abandonedInRow - MAX_ABANDONED)));
      return told;
    },
  };
  return quota;
}
