import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

export interface BenchOptions {
  readonly rounds: number;
  /** How long each subject is loaded in a round. */
  readonly seconds: number;
  /** Says what is going on. */
  step(text: string): void;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** What a part works with. All that it starts is stopped when the part is over, in whatever way. */
export interface Bench extends BenchOptions {
  /** A folder of this part's own, on the disk that the repository is on. */
  readonly folder: string;
  onEnd(close: () => unknown): void;
}

const root = path.resolve(import.meta.dirname, '../.data');

/** Runs `part` and cleans up after it. */
export async function withBench<Result>(
  options: BenchOptions,
  part: (bench: Bench) => Promise<Result>,
): Promise<Result> {
  const closing: (() => unknown)[] = [];
  const folder = makeFolder();
  try {
    return await part({ ...options, folder, onEnd: (close) => void closing.push(close) });
  } finally {
    for (const close of closing.reverse()) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Not in /tmp, which may be memory: commits are to reach a disk. */
function makeFolder(): string {
  mkdirSync(root, { recursive: true });
  return mkdtempSync(path.join(root, 'run-'));
}
