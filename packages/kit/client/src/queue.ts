import type { Clock } from './options.ts';
import type { RateWindow } from './rate-window.ts';
import { startTimer } from './timer.ts';

/** A call, as far as it waits. */
export interface Waiting {
  /** No wait may end later, by the client's clock. */
  readonly deadline: number;
  /** Milliseconds that are left for all waits, by the platform's clock. */
  readonly left: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Called before it waits for the window. */
  readonly onWait: (delay: number, reason: 'quota' | 'refused') => void;
}

/** Calls enter in the order in which they were made, as many at once as the window allows. */
export interface Queue {
  /** Waits until the call may send one more request: true. False if that is after its deadline, or it is aborted. */
  enter(call: Waiting): Promise<boolean>;
  /** Ends a request that has entered, after the window has learnt from it. */
  leave(): void;
}

export function createQueue(window: RateWindow, clock: Clock): Queue {
  const tickets: { readonly call: Waiting; until: number; wake: () => void }[] = [];
  let inFlight = 0;

  const pause = () => window.waitFor(clock.now());
  const mayEnter = () => pause() <= 0 && inFlight < window.capacity(clock.now());
  /** Tells those that will wait; once for each end of the wait. */
  const announce = (ticket: (typeof tickets)[number]) => {
    const now = clock.now();
    const delay = window.waitFor(now);
    const until = Math.round(now + delay);
    if (delay <= 0 || now + delay > ticket.call.deadline || ticket.until === until) return;
    ticket.until = until;
    ticket.call.onWait(delay, window.reason(now));
  };

  return {
    async enter(call) {
      const { deadline, left, signal } = call;
      const isTooLate = () => signal?.aborted || clock.now() + pause() > deadline;
      if (isTooLate()) return false;
      if (tickets.length === 0 && mayEnter()) return !!++inFlight;

      const ticket = { call, until: 0, wake: () => {} };
      tickets.push(ticket);
      announce(ticket);
      const timer = startTimer(left(), signal);
      try {
        while (!isTooLate()) {
          const isFirst = tickets[0] === ticket;
          const wait = pause();
          if (isFirst && mayEnter()) return !!++inFlight;
          const turn = new Promise<void>((resolve) => (ticket.wake = resolve));
          if (isFirst && wait > 0) {
            tickets.forEach(announce);
            await timer.race(clock.sleep(wait, timer.signal));
          } else await timer.race(turn);
        }
      } catch {
        // Only the timer rejects: the budget is used up, or the call was aborted.
      } finally {
        timer.end();
        tickets.splice(tickets.indexOf(ticket), 1);
        tickets[0]?.wake();
      }
      return false;
    },
    leave() {
      inFlight--;
      tickets[0]?.wake();
    },
  };
}
