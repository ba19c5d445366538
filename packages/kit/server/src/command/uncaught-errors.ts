import type { Logger } from 'pino';

/** What became of errors that nothing caught. */
export interface UncaughtErrors {
  /** Resolves after the first one. */
  readonly first: Promise<void>;
  readonly count: number;
}

/**
 * Keeps errors that nothing catches, such as of a timer or a promise of the service's own code, from ending the process at
 * once: it may be in the middle of requests. Each is logged and passed to `onError`.
 */
export function watchUncaughtErrors(log: Logger, onError: () => void): UncaughtErrors {
  let count = 0;
  const first = new Promise<void>((resolve) => {
    process.on('uncaughtException', (error: unknown, origin) => {
      count += 1;
      resolve();
      onError();
      // Flushes the log.
      log.fatal({ err: error, origin }, 'an error was not caught');
    });
  });
  return {
    first,
    get count() {
      return count;
    },
  };
}
