import { constants } from 'node:os';

/** Ends this process as `signal` does. It has no listener for it, or calls this from the last one. */
export function endBySignal(signal: NodeJS.Signals): never {
  // By the signal itself if possible: `exit` waits for a file that is being opened or read.
  process.kill(process.pid, signal);
  // The kernel ignores a signal without a handler that process 1, such as a container's, sends to itself.
  process.exit(128 + constants.signals[signal]);
}

/** Lets SIGINT and SIGTERM end a process 1 too, for which the kernel ignores signals without a handler. */
export function endBySignalsAsInit(): void {
  if (process.pid !== 1) return;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
}
