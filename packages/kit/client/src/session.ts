import type { Clock } from './options.ts';
import { createRateWindow } from './rate-window.ts';
import { startTimer } from './timer.ts';
import type { RateLimit } from './types.ts';

/** What is known of a key. Clients that share it never send more, together, than the API allows. */
export interface Session {
  /** The promise of the key that the function `apiKey` returned. */
  key?: Promise<string> | undefined;
  /** The quota, as the last response that had one stated it. */
  rateLimit?: RateLimit | undefined;
  /** Why the API last refused: a call that is held back meets the same refusal. */
  refusalCode: string;
  /** Milliseconds for which nothing may be sent. */
  pause(this: void): number;
  /** Waits until the call may send one more request: true. False if that is after its deadline, or it is aborted. */
  admit(call: Waiting): Promise<boolean>;
  /** Counts an admitted request as over, and learns from its response. Returns the quota that the response states. */
  settle(response: Response | undefined): RateLimit | undefined;
}

/** A call, as far as it waits. */
interface Waiting {
  /** No wait may end later, by the client's clock. */
  readonly deadline: number;
  /** Milliseconds that are left for all waits, by the platform's clock. */
  readonly left: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** Calls enter in the order in which they were made, as many at once as the quota allows. */
export function createSession(clock: Clock): Session {
  const window = createRateWindow();
  const queue: { wake(): void }[] = [];
  let inFlight = 0;

  const pause = () => window.waitFor(clock.now());
  const mayEnter = () => pause() <= 0 && inFlight < window.capacity(clock.now());

  async function admit({ deadline, left, signal }: Waiting): Promise<boolean> {
    const isTooLate = () => signal?.aborted || clock.now() + pause() > deadline;
    if (isTooLate()) return false;
    if (queue.length === 0 && mayEnter()) return !!++inFlight;

    const ticket = { wake: () => {} };
    queue.push(ticket);
    const timer = startTimer(left(), signal);
    try {
      while (!isTooLate()) {
        const isFirst = queue[0] === ticket;
        const wait = pause();
        if (isFirst && mayEnter()) return !!++inFlight;
        const turn = new Promise<void>((resolve) => (ticket.wake = resolve));
        await timer.race(isFirst && wait > 0 ? clock.sleep(wait, timer.signal) : turn);
      }
    } catch {
      // Only the timer rejects: the budget is used up, or the call was aborted.
    } finally {
      timer.end();
      queue.splice(queue.indexOf(ticket), 1);
      queue[0]?.wake();
    }
    return false;
  }

  const session: Session = {
    refusalCode: 'rate_limit_exceeded',
    pause,
    admit,
    settle(response) {
      // First, because learning may throw if `response` is not one, and those that wait must not wait for ever.
      inFlight--;
      queue[0]?.wake();
      const stated = window.learn(response, clock.now());
      session.rateLimit = stated ?? session.rateLimit;
      return stated;
    },
  };
  return session;
}
