import type { Clock } from './options.ts';
import { after } from './timer.ts';

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
