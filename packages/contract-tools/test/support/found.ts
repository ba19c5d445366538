import { parseContract } from '../../src/contract.ts';
import type { Comparison } from '../../src/release/change.ts';
import { changed, type Edit } from './contract.ts';

/** What `compare` finds between two contracts; each is the small one, edited. */
export function found(compare: Comparison, after: readonly Edit[], before: readonly Edit[] = []): string[] {
  const pair = { base: parseContract(changed(...before)), revision: parseContract(changed(...after)) };
  return [...compare(pair)].map(({ impact, subject, what }) => `${impact}: ${subject}: ${what}`);
}
