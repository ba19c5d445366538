/** A signal that aborts with `parent`, or after a time. */
export interface Timer {
  readonly signal: AbortSignal;
  /** Gives what the promise gives, unless the signal aborts first. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Stops the timer and lets go of the parent. */
  end(): void;
}

/** The longest delay of `setTimeout`, which fires at once for any longer. */
export const LONGEST_DELAY = 2 ** 31 - 1;

export function startTimer(milliseconds: number, parent?: AbortSignal): Timer {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(parent?.reason);
  const aborted = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  );
  aborted.catch(() => {});
  const timeout = setTimeout(abort, Math.min(milliseconds, LONGEST_DELAY));
  parent?.addEventListener('abort', abort);
  if (parent?.aborted) abort();
  return {
    signal,
    race: (promise) => Promise.race([promise, aborted]),
    end() {
      clearTimeout(timeout);
      parent?.removeEventListener('abort', abort);
    },
  };
}
