import type { Clock } from './options.ts';
import { rateLimitOf, retryAfterOf, timeUntil } from './response-headers.ts';
import { startTimer } from './timer.ts';
import type { RateLimit } from './types.ts';

/** What a response says before its body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
}

/** What is known of a key. Clients that share it never send more, together, than the API allows. */
export interface Session {
  /** What the function `apiKey` gave. */
  key?: Promise<string> | undefined;
  /** The quota, as of the last response that told of it. */
  rateLimit?: RateLimit | undefined;
  /** Why the API last refused: a call that is held back meets the same refusal. */
  refusalCode: string;
  /** Milliseconds for which nothing may be sent. */
  pause(this: void): number;
  /** Waits until the call may send one more request: true. False if that would be after its deadline, or it is aborted. */
  admit(call: Waiting): Promise<boolean>;
  /**
   * Counts an admitted request in, and learns from the response to it, or that none arrived: `abandoned` if nobody
   * waited for it. Gives what the response tells of the quota.
   */
  settle(response: Answer | undefined, abandoned: boolean | undefined): RateLimit | undefined;
}

/** A call, as far as it waits. */
interface Waiting {
  /** No wait may end later, by the client's clock. */
  readonly deadline: number;
  /** Milliseconds that are left for all waits, by the platform's clock. */
  readonly left: () => number;
  readonly signal?: AbortSignal | undefined;
}

// The longest window of a quota. By a date that makes no sense a reset would be years away.
const DAY = 86_400_000;

// Without limits in the responses: few enough that refusing all of them is far from any plan's ban.
const UNDISCLOSED_REMAINING = 16;

// Requests beyond the known quota that may be abandoned in a row without a pause. Each may have been refused, and a
// plan's ban takes 60 refusals in a minute.
const MAX_ABANDONED = 8;

/**
 * Calls enter in the order they were made, as many at once as the quota allows, less those still on their way. Until a
 * response tells the quota, and again after each window and each refusal, one request at a time goes ahead to learn it.
 */
export function createSession(clock: Clock, random: () => number): Session {
  // `reset` is by the server's clock and tells windows apart; `end` is by ours.
  let window = { remaining: 1, reset: 0, end: 0 };
  let pausedUntil = 0;
  let refusals = 0;
  let abandonedInRow = 0;

  let lastInLine: Promise<unknown> = Promise.resolve();
  let inLine = 0;
  let wakeFirstInLine = () => {};
  let inFlight = 0;

  const pause = () => Math.max(pausedUntil, window.remaining < 1 ? window.end : 0) - clock.now();

  const mayEnter = () => pause() <= 0 && inFlight < (clock.now() < window.end ? window.remaining : 1);

  async function admit({ deadline, left, signal }: Waiting): Promise<boolean> {
    const isTooLate = () => signal?.aborted || clock.now() + pause() > deadline;
    if (isTooLate()) return false;
    if (!inLine && mayEnter()) return !!++inFlight;

    const ahead = lastInLine;
    const timer = startTimer(left(), signal);
    let leave = () => {};
    lastInLine = new Promise<void>((resolve) => (leave = resolve));
    inLine++;
    try {
      await timer.race(ahead);
      while (!isTooLate()) {
        const now = clock.now();
        const wait = pause();
        if (wait > 0) {
          await timer.race(clock.sleep(wait, timer.signal));
          // The clock of a test may stand still: to ask it for ever would leave no turn to anything else.
          if (clock.now() === now) return !!++inFlight;
        } else if (mayEnter()) return !!++inFlight;
        else await timer.race(new Promise<void>((resolve) => (wakeFirstInLine = resolve)));
      }
    } catch {
      // Only the timer does this.
    } finally {
      inLine--;
      timer.end();
      void ahead.then(leave);
    }
    return false;
  }

  function settle(response: Answer | undefined, abandoned: boolean | undefined): RateLimit | undefined {
    inFlight--;
    // It goes on when this is through, even if a double's headers throw here: it must not wait for ever.
    wakeFirstInLine();

    const now = clock.now();
    const pauseFor = (milliseconds: number) => {
      pausedUntil = Math.max(pausedUntil, now + milliseconds);
    };
    const told = response && rateLimitOf(response.headers);
    session.rateLimit = told ?? session.rateLimit;
    const resetIn = told ? Math.min(DAY, timeUntil(told.reset * 1000, response.headers, now)) : 0;
    if (response) abandonedInRow = 0;
    if (response?.status === 429) {
      // Many that were on their way together are refused together: that is one step of the backoff.
      if (now >= pausedUntil) refusals++;
      const backoff = 1000 + random() * Math.min(60_000, 500 * 2 ** refusals);
      pauseFor(Math.max(backoff, retryAfterOf(response.headers, now), resetIn));
      window.end = 0;
    } else if (told) {
      const { remaining, reset } = told;
      refusals = 0;
      if (now >= window.end || reset > window.reset) window = { remaining, reset, end: now + resetIn };
      // Responses overtake each other: the lowest is the latest.
      else if (reset === window.reset) window.remaining = Math.min(window.remaining, remaining);
    } else if (response && response.status < 300 && !window.reset)
      window = { remaining: UNDISCLOSED_REMAINING, reset: 0, end: Infinity };
    // It may have been counted all the same.
    else if (window.remaining > 1) window.remaining--;
    else if (abandoned && ++abandonedInRow > MAX_ABANDONED)
      pauseFor(Math.min(16_000, 500 * 2 ** (abandonedInRow - MAX_ABANDONED)));
    return told;
  }

  const session: Session = { refusalCode: 'rate_limit_exceeded', pause, admit, settle };
  return session;
}
