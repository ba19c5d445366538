import fc, { type Arbitrary } from 'fast-check';
import type { Verdict } from './texts.ts';

/** One parameter or the body, filled in or left out. */
export interface Part {
  readonly place: string;
  readonly name: string;
  readonly written: string | undefined;
  readonly verdict: Verdict;
}

/** How a parameter or the body is filled in. */
export interface Filling {
  readonly fitting: Arbitrary<Part>;
  readonly any: Arbitrary<Part>;
  /** With a value that samples are made of; undefined if none is found. */
  readonly sample: Part | undefined;
}

/** `present`, or in one of six cases nothing. */
export const perhaps = (present: Arbitrary<Part>, absent: Part) =>
  fc.oneof({ weight: 5, arbitrary: present }, { weight: 1, arbitrary: fc.constant(absent) });
