import type { Clock } from './options.ts';
import { createQuota, type Quota } from './quota.ts';
import { startTimer } from './timer.ts';

/** What the calls of one client share, so that together they never send more than the API allows. */
export interface Pacing extends Quota {
  /** Why the API last refused: a call that is held back meets the same refusal. */
  refusalCode: string;
  /** Waits until the call may send one more request: true. False if that would be after its deadline, or it is aborted. */
  admit(call: Waiting): Promise<boolean>;
  /** Counts an admitted request in, and learns from its response. */
  settle: Quota['learn'];
}

/** A call, as far as it waits. */
interface Waiting {
  /** No wait may end later, by the client's clock. */
  readonly deadline: number;
  /** Milliseconds that are left for all waits, by the platform's clock. */
  readonly left: () => number;
  readonly options: { readonly signal?: AbortSignal | undefined };
}

/** Calls enter in the order they were made, as many at once as the quota allows, less those still on their way. */
export function createPacing(clock: Clock, random: () => number): Pacing {
  const quota = createQuota(clock, random);
  let lastInLine: Promise<unknown> = Promise.resolve();
  let inLine = 0;
  let wakeFirstInLine = () => {};
  let inFlight = 0;

  const mayEnter = () => quota.pause() <= 0 && inFlight < quota.concurrency();

  async function admit({ deadline, left, options: { signal } }: Waiting): Promise<boolean> {
    const isTooLate = () => signal?.aborted || clock.now() + quota.pause() > deadline;
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
        const wait = quota.pause();
        if (wait > 0) await timer.race(clock.sleep(wait, timer.signal));
        else if (mayEnter()) return !!++inFlight;
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

  const settle: Quota['learn'] = (response, abandoned) => {
    inFlight--;
    try {
      return quota.learn(response, abandoned);
    } finally {
      // Whatever an injected fetch gave: the calls in line must not wait for ever.
      wakeFirstInLine();
    }
  };

  return Object.assign(quota, { refusalCode: 'rate_limit_exceeded', admit, settle });
}
