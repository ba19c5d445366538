import { parseContract } from '../source-document.ts';
import {
  compareDescription,
  compareErrorCodes,
  comparePlans,
  compareSchemaNames,
  compareServers,
} from './catalogues.ts';
import { IMPACTS, type Change, type Pair } from './change.ts';
import { compareOperations } from './operations.ts';
import { compareSchemes } from './security.ts';

const COMPARISONS: readonly ((pair: Pair) => Iterable<Change>)[] = [
  compareOperations,
  compareSchemaNames,
  compareSchemes,
  comparePlans,
  compareErrorCodes,
  compareServers,
  compareDescription,
];

/** Every change from one contract to another, the most severe first. Dates are YYYY-MM-DD. */
export function compareContracts(
  base: string,
  revision: string,
  today: string,
): { pair: Pair; changes: Change[] } {
  const contracts = { base: parseContract(base), revision: parseContract(revision) };
  const pair = { ...contracts, today, compared: new Set<string>() };
  const changes = COMPARISONS.flatMap((compare) => [...compare(pair)]);
  // A shared component changes once, however many operations refer to it.
  const unique = [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
  const rank = ({ impact }: Change) => IMPACTS.indexOf(impact);
  return { pair, changes: unique.sort((a, b) => rank(a) - rank(b)) };
}
