import type { Clock } from './options.ts';
import { createQuota, type Quota } from './quota.ts';
import type { Timer } from './timer.ts';

/** What the calls of one client share, so that together they never send more than the API allows. */
export interface Pacing extends Quota {
  /** Why the API last refused: a call that is held back meets the same refusal. */
  refusalCode: string;
  /** Waits until one more request may be sent: true. False if that would be after the deadline or the timer aborts. */
  admit(deadline: number, timer: Timer): Promise<boolean>;
  /** Counts an admitted request in, and learns from its response; without one, `abandoned` if nobody waited for it. */
  settle(response: Response | undefined, abandoned: boolean): void;
}

/** Calls enter in the order they were made, as many at once as the quota allows, less those still on their way. */
export function createPacing(clock: Clock, random: () => number): Pacing {
  const quota = createQuota(clock, random);
  let lastInLine: Promise<unknown> = Promise.resolve();
  let wakeFirstInLine = () => {};
  let inFlight = 0;

  async function admit(deadline: number, timer: Timer): Promise<boolean> {
    const isTooLate = () => clock.now() + quota.pause() > deadline;
    const ahead = lastInLine;
    let leave = () => {};
    lastInLine = new Promise<void>((resolve) => (leave = resolve));
    try {
      await (isTooLate() || timer.race(ahead));
      for (;;) {
        if (isTooLate() || timer.signal.aborted) return false;
        const wait = quota.pause();
        if (wait > 0) {
          await timer.race(clock.sleep(wait, timer.signal));
        } else if (inFlight >= quota.concurrency()) {
          await timer.race(new Promise<void>((resolve) => (wakeFirstInLine = resolve)));
        } else {
          inFlight++;
          return true;
        }
      }
    } catch {
      // Only the timer does this.
      return false;
    } finally {
      void ahead.then(leave);
    }
  }

  function settle(response: Response | undefined, abandoned: boolean): void {
    inFlight--;
    try {
      quota.learn(response, abandoned);
    } finally {
      // Whatever an injected fetch gave: the calls in line must not wait for ever.
      wakeFirstInLine();
    }
  }

  return Object.assign(quota, { refusalCode: 'rate_limit_exceeded', admit, settle });
}
