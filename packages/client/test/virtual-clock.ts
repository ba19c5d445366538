import type { Clock } from '@petstore/client';

export interface VirtualClock extends Clock {
  /** How long each sleep was, in milliseconds. */
  readonly sleeps: number[];
}

/** A clock that stands still but for sleeping, which takes no time at all. */
export function virtualClock(start = Date.UTC(2026, 10, 24, 9)): VirtualClock {
  let now = start;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    sleep(milliseconds) {
      sleeps.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
  };
}
