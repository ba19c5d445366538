/** A signal that aborts with its parent, or after a time; `AbortSignal.any` leaks with a long-lived parent. */
export interface Timer {
  readonly signal: AbortSignal;
  /** Gives what the promise gives, unless the signal aborts first. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Stops the timer, and lets go of the parent unless its abort shall still abort the signal. */
  end(isFollowing?: boolean): void;
}

/** The longest delay of `setTimeout`, which fires at once for any longer. */
export const LONGEST_DELAY = 2 ** 31 - 1;

const followers = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `abort` when the signal aborts. One listener for all: Node.js warns of a leak at the eleventh. */
export function follow(signal: AbortSignal, abort: () => void): () => void {
  const all = followers.get(signal) ?? new Set();
  if (!followers.has(signal)) signal.addEventListener('abort', () => all.forEach((each) => each()));
  followers.set(signal, all.add(abort));
  return () => void all.delete(abort);
}

export function startTimer(milliseconds: number, parent?: AbortSignal): Timer {
  const controller = new AbortController();
  const { signal } = controller;
  let reject: (reason: unknown) => void = () => {};
  const abort = () => {
    controller.abort(parent?.reason);
    reject(signal.reason);
  };
  // First, because a parent that is none throws, and nobody would clear the timeout.
  const unfollow = parent && follow(parent, abort);
  const timeout = setTimeout(abort, Math.min(milliseconds, LONGEST_DELAY));
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
