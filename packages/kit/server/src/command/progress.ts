import { endBySignal } from './signals.ts';
import type { Progress } from '../store/transfer/store-file.ts';

export interface ProgressBar extends Progress {
  /** Lets `print` write to stderr without the bar in the way. */
  interrupt(print: () => void): void;
}

const noBar = { start() {}, update() {}, stop() {}, interrupt: (print: () => void) => print() };

/** A progress bar on stderr, if stdout and stderr are terminals. Hidden until it is started. */
async function createBar(json: boolean): Promise<ProgressBar & { stop(): void }> {
  if (!process.stderr.isTTY || json) return noBar;
  const { Presets, SingleBar } = await import('cli-progress');
  const format = '{bar} {percentage} % | {eta_formatted} left';
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true }, Presets.shades_classic);
  return {
    start: (total) => bar.start(total, 0),
    update: (done) => bar.update(done),
    stop: () => bar.stop(),
    interrupt(print) {
      process.stderr.write('\r\x1b[K');
      print();
    },
  };
}

/** Runs `work` with a progress bar. A signal prints `outcome` and ends the process. */
export async function withProgress<Result>(
  { json = false, program }: { readonly json?: boolean; readonly program: string },
  outcome: () => string,
  work: (progress: ProgressBar) => Promise<Result>,
): Promise<Result> {
  const bar = await createBar(json);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const stop = (signal: NodeJS.Signals) => {
    bar.stop();
    console.error(`${program}: interrupted; ${outcome()}`);
    endBySignal(signal);
  };
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(bar);
  } finally {
    bar.stop();
    for (const signal of signals) process.off(signal, stop);
  }
}
