import type { Logger } from 'pino';

/** How often the delay is measured, in milliseconds. */
const INTERVAL = 50;
/** Being late for this long is an overload, in milliseconds, the longest delay left out: a single one never is. */
const SUSTAINED = 2_000;
/** An overload is over once everything was served in time for this long, in milliseconds. */
const CALM = 5_000;
/** The share of requests that is served even in the worst overload. */
const LEAST_SHARE = 0.02;

const ON_TIME = { duration: 0, longest: 0 };

export interface Overload {
  /** Whether the next request is to be served: as many of them as their share says. */
  admits(): boolean;
  close(): void;
}

export interface OverloadOptions {
  /** The delay in milliseconds beyond which requests are shed; 0 sheds none. */
  readonly threshold: number;
  /** For how many milliseconds requests wait by now, which counts as delay too. */
  readonly wait: () => number;
  /** Told in one line when an overload begins and when it ends. */
  readonly log: Logger;
}

/**
 * Watches how late the event loop is, which is how long every request waits before it is looked at. When that stays
 * beyond the threshold, only a share of the requests is served: the largest with which the delay keeps to it.
 *
 * By hand, because toobusy-js sheds after a single long delay already, and under-pressure is for Fastify.
 */
export function watchOverload({ threshold, wait, log }: OverloadOptions): Overload {
  let isOverloaded = false;
  let share = 1;
  let shed = 0;
  let late = ON_TIME;
  let calm = 0;
  let last = performance.now();

  function sample(): void {
    const now = performance.now();
    const delay = Math.max(now - last - INTERVAL, wait());
    if (isOverloaded) adjust(delay, now - last);
    else notice(delay, now - last);
    last = now;
  }

  function notice(delay: number, elapsed: number): void {
    if (delay <= threshold) late = ON_TIME;
    else late = { duration: late.duration + elapsed, longest: Math.max(late.longest, elapsed) };
    if (late.duration - late.longest < SUSTAINED) return;
    isOverloaded = true;
    shed = 0;
    calm = 0;
    share = 0.5;
    const delayMs = Math.round(delay);
    log.warn({ delayMs }, 'the event loop is late; requests that are too many are answered with 503');
  }

  function adjust(delay: number, elapsed: number): void {
    if (delay > threshold) share = Math.max(LEAST_SHARE, share * Math.max(0.5, threshold / delay));
    else share = Math.min(1, share * 1.1 + 0.01);
    calm = share === 1 ? calm + elapsed : 0;
    if (calm < CALM) return;
    isOverloaded = false;
    late = ON_TIME;
    log.info({ shed }, 'the event loop keeps up again; every request is served');
  }

  const timer = threshold > 0 ? setInterval(sample, INTERVAL).unref() : undefined;

  return {
    admits() {
      const isAdmitted = Math.random() < share;
      if (!isAdmitted) shed += 1;
      return isAdmitted;
    },
    close() {
      clearInterval(timer);
    },
  };
}
