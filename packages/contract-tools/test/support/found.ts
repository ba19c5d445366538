import { parseContract } from '../../src/contract.ts';
import type { Pair } from '../../src/release/change.ts';

/** A released contract and the one that is to follow it, on a day after the first test contract was deprecated. */
export function pairOf(base: string, revision: string, today = '2026-12-01'): Pair {
  return { base: parseContract(base), revision: parseContract(revision), today, compared: new Set() };
}
