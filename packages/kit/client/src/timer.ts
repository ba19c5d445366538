import { follow } from '#platform';
import type { Clock } from './options.ts';

/** A signal that aborts with its parent, or after a time; `AbortSignal.any` leaks with a long-lived parent. */
export interface Timer {
  readonly signal: AbortSignal;
  /** Settles as the promise does, unless the signal aborts first. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Stops the timer, and lets go of the parent unless its abort shall still abort the signal. */
  end(isFollowing?: boolean): void;
}

/** Calls `act` later, or after eleven days; `setTimeout` does so at once for more than 2^31 ms. */
export function after(milliseconds: number, act: () => void) {
  return setTimeout(act, Math.min(milliseconds, 1e9));
}

export function startTimer(milliseconds: number, parent?: AbortSignal): Timer {
  const controller = new AbortController();
  const { signal } = controller;
  let reject: (reason: unknown) => void = () => {};
  const abort = () => {
    controller.abort(parent?.reason);
    reject(signal.reason);
  };
  const unfollow = parent && follow(parent, abort);
  const timeout = after(milliseconds, abort);
  if (parent?.aborted) abort();
  return {
    signal,
    race: (promise) =>
      new Promise((resolve, rejectIt) => {
        reject = rejectIt;
        if (signal.aborted) abort();
        promise.then(resolve, reject);
      }),
    end(isFollowing) {
      clearTimeout(timeout);
      if (!isFollowing) unfollow?.();
    },
  };
}

/** The platform's time. It is monotonic: setting the system's clock moves neither waits nor deadlines. */
export const platformClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timeout = after(milliseconds, resolve);
      // A leftover timer would keep the process alive.
      signal.addEventListener('abort', () => clearTimeout(timeout));
    }),
};
