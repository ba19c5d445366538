import { rateLimitOf, retryAfterOf, serverTime } from './asked.ts';
import type { Clock } from './options.ts';
import type { Timer } from './timer.ts';
import type { RateLimit } from './types.ts';

/** What the calls of one client share, so that together they never send more than the API allows. */
export interface Pacing {
  /** The quota as of the last answer that told of it. */
  rateLimit: RateLimit | undefined;
  /** Milliseconds for which nothing may be sent. */
  pause(): number;
  /** Waits until one more request may be sent: true. False, at once, if that would be after the deadline. */
  admit(deadline: number, timer: Timer): Promise<boolean>;
  /** Learns from the answer to an admitted request, or that none arrived: `abandoned` if nobody waited for it. */
  settle(answer: Response | undefined, abandoned: boolean): void;
}

// Without limits in the answers: few enough that refusing all of them is far from any plan's ban.
const UNDISCLOSED = 16;

// Requests beyond the known quota that may be abandoned in a row without a pause. Each may have been refused, and a
// plan's ban takes 60 refusals in a minute.
const UNHEARD = 8;

/**
 * Calls enter in the order they were made. Until an answer tells the quota, and again after each window and each
 * refusal, one request at a time goes ahead to learn it; then as many as remain, less those still on their way.
 */
export function createPacing(clock: Clock, random: () => number): Pacing {
  let lastInLine: Promise<unknown> = Promise.resolve();
  let wake = () => {};
  let inFlight = 0;
  let remaining = 1;
  let reset = 0;
  let windowEnd = 0;
  let pausedUntil = 0;
  let refusals = 0;
  let unheard = 0;

  const pause = () => Math.max(pausedUntil, remaining < 1 ? windowEnd : 0) - clock.now();

  async function admit(deadline: number, timer: Timer): Promise<boolean> {
    const ahead = lastInLine;
    let leave = () => {};
    lastInLine = new Promise<void>((resolve) => (leave = resolve));
    try {
      if (clock.now() + pause() > deadline) return false;
      await timer.race(ahead);
      for (;;) {
        timer.signal.throwIfAborted();
        const wait = pause();
        const now = clock.now();
        if (wait > 0) {
          if (now + wait > deadline) return false;
          await timer.race(clock.sleep(wait, timer.signal));
        } else if (inFlight < (now < windowEnd ? remaining : 1)) {
          inFlight++;
          return true;
        } else {
          await timer.race(new Promise<void>((resolve) => (wake = resolve)));
        }
      }
    } finally {
      void ahead.then(leave);
    }
  }

  function settle(answer: Response | undefined, abandoned: boolean): void {
    const now = clock.now();
    const told = answer && rateLimitOf(answer.headers);
    const resetIn = told ? told.reset * 1000 - serverTime(answer.headers, now) : 0;
    inFlight--;
    pacing.rateLimit = told ?? pacing.rateLimit;
    if (answer) unheard = 0;
    if (answer?.status === 429) {
      // Many that were on their way together are refused together: that is one step of the backoff.
      if (now >= pausedUntil) refusals++;
      const backoff = 1000 + random() * Math.min(60_000, 500 * 2 ** refusals);
      pausedUntil = Math.max(
        pausedUntil,
        now + Math.max(backoff, retryAfterOf(answer.headers, now), resetIn),
      );
      windowEnd = 0;
    } else if (told) {
      refusals = 0;
      if (now >= windowEnd || told.reset > reset) {
        ({ remaining, reset } = told);
        windowEnd = now + resetIn;
      } else if (told.reset === reset) {
        // Answers overtake each other: the lowest is the latest.
        remaining = Math.min(remaining, told.remaining);
      }
    } else if (answer?.ok && !reset) {
      remaining = UNDISCLOSED;
      windowEnd = Infinity;
    } else if (remaining > 1) {
      // It may have been counted all the same.
      remaining--;
    } else if (abandoned && ++unheard > UNHEARD) {
      pausedUntil = Math.max(pausedUntil, now + Math.min(16_000, 500 * 2 ** (unheard - UNHEARD)));
    }
    wake();
  }

  const pacing: Pacing = { rateLimit: undefined, pause, admit, settle };
  return pacing;
}
