import type { Bench } from './bench.ts';
import type { PartResult } from './result.ts';

/** A piece of the benchmark that can be run on its own. */
export interface Part {
  readonly name: string;
  /** What it measures, for `--help`. */
  readonly about: string;
  run(bench: Bench): Promise<PartResult>;
}
