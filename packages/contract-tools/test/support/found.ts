import { parseContract } from '../../src/contract.ts';
import type { Change, Comparison, Pair } from '../../src/release/change.ts';
import { changed, type Edit } from './contract.ts';

/** A released contract and the one that is to follow it, on a day after the first test contract was deprecated. */
export function pairOf(base: string, revision: string, today = '2026-12-01'): Pair {
  return { base: parseContract(base), revision: parseContract(revision), today, compared: new Set() };
}

/** What `compare` finds between two contracts; each is the small one, edited. */
export function found(compare: Comparison, after: readonly Edit[], before: readonly Edit[] = []): string[] {
  const changes = [...compare(pairOf(changed(...before), changed(...after)))];
  return linesOf(changes);
}

export function linesOf(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(({ impact, subject, what }) => `${impact}: ${subject}: ${what}`))];
}
