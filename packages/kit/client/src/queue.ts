import type { Clock } from './options.ts';
import { createRateWindow, type RateWindow } from './rate-window.ts';
import { startTimer, type Timer } from './timer.ts';
import type { RateLimit } from './types.ts';

export interface Waiting {
  /** No wait may end later, by the client's clock. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  /** Called before it waits for the window. */
  readonly onWait: (delay: number, reason: 'quota' | 'refused') => void;
  /** The end of the wait that was last reported. */
  until?: number;
  /** Makes it check again whether it may enter. */
  wake?: () => void;
}

/** The queue that clients of a key share, so that together they stay within its quota. */
export interface Session {
  readonly window: RateWindow;
  /** Waits until the call may send one more request: true. False if that is after its deadline, or it is aborted. */
  enter(call: Waiting): Promise<boolean>;
  /** Ends a request that has entered, and learns from its response. */
  leave(response: Response | undefined): RateLimit | undefined;
  /** The promise of the key that the function `apiKey` returned. */
  key?: Promise<string> | undefined;
  /** The last 429: calls that cannot wait fail with the same error. */
  refusalCode: string;
}

/** Calls enter in the order in which they were made, as many at once as the window allows. */
export function createSession(clock: Clock): Session {
  const window = createRateWindow();
  const queue: Waiting[] = [];
  let inFlight = 0;

  const pause = () => window.waitFor(clock.now());
  /** Reports to waiting calls, once for each end of a wait. */
  const announce = (call: Waiting) => {
    const now = clock.now();
    const delay = window.waitFor(now);
    const until = Math.round(now + delay);
    if (delay > 0 && until < call.deadline && until !== call.until) call.onWait(delay, window.reason(now));
    call.until = until;
  };

  return {
    window,
    refusalCode: 'rate_limit_exceeded',
    async enter(call) {
      const { deadline, signal } = call;
      queue.push(call);
      let timer: Timer | undefined;
      try {
        while (!signal?.aborted && clock.now() + pause() < deadline) {
          const isFirst = queue[0] === call;
          const wait = pause();
          if (isFirst && wait <= 0 && inFlight < window.capacity(clock.now())) return !!++inFlight;
          timer ??= startTimer(deadline - clock.now(), signal);
          const turn = new Promise<void>((resolve) => (call.wake = resolve));
          (isFirst ? queue : [call]).forEach(announce);
          await timer.race(isFirst && wait > 0 ? clock.sleep(wait, timer.signal) : turn);
        }
      } catch {
        // Only the timer rejects: the budget is used up or the call was aborted.
      } finally {
        timer?.end();
        queue.splice(queue.indexOf(call), 1);
        queue[0]?.wake?.();
      }
      return false;
    },
    leave(response) {
      inFlight--;
      // Waiting calls continue after this turn, in which the window learns.
      queue[0]?.wake?.();
      return window.learn(response, clock.now());
    },
  };
}
