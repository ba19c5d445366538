import type { Pointer } from '../problem.ts';

/** Where a part of a bundled document was written. */
export interface Origin {
  /** Its path relative to the root; empty for the contract itself. */
  readonly file: string;
  readonly pointer: Pointer;
}

/** A key of a map, for a place. */
export const idOf = (steps: Pointer): string => steps.join('\n');
