import { Presets, SingleBar } from 'cli-progress';
import type { Progress } from '../store/transfer/progress.ts';

export interface ProgressBar extends Progress {
  /** Lets `print` write to stderr without the bar in the way. */
  interrupt(print: () => void): void;
}

/** A bar on stderr; where that is no terminal, a line per second. It shows nothing before it is started. */
export function createProgress(): ProgressBar {
  const bar = new SingleBar(
    {
      format: '{bar} {percentage} % | {eta_formatted} left',
      stream: process.stderr,
      noTTYOutput: true,
      notTTYSchedule: 1_000,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  return {
    start: (total) => {
      bar.start(total, 0);
    },
    update: (done) => {
      bar.update(done);
    },
    interrupt(print) {
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
      print();
    },
    stop: () => {
      bar.stop();
    },
  };
}
