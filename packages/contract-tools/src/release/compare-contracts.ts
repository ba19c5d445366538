import { parseContract } from '../contract.ts';
import { IMPACTS, type Change, type Comparison, type Pair } from './change.ts';
import { compareDeprecation } from './compare/deprecation.ts';
import { compareErrorCodes } from './compare/error-codes.ts';
import { compareSchemaNames } from './compare/names.ts';
import { compareOperations } from './compare/operations.ts';
import { comparePlans } from './compare/plans.ts';
import { compareSecurity } from './compare/security.ts';
import { compareServers } from './compare/servers.ts';
import { compareStability } from './compare/stability.ts';
import { compareDescription } from './compare/words.ts';

const COMPARISONS: readonly Comparison[] = [
  compareOperations,
  compareSchemaNames,
  compareSecurity,
  comparePlans,
  compareErrorCodes,
  compareDeprecation,
  compareStability,
  compareServers,
  compareDescription,
];

/** Every change from one contract to another, the gravest first. */
export function compareContracts(
  base: string,
  revision: string,
  today: string,
): { pair: Pair; changes: Change[] } {
  const pair = {
    base: parseContract(base),
    revision: parseContract(revision),
    today,
    compared: new Set<string>(),
  };
  const changes = COMPARISONS.flatMap((compare) => [...compare(pair)]);
  const rank = ({ impact }: Change) => IMPACTS.indexOf(impact);
  return { pair, changes: unique(changes).sort((a, b) => rank(a) - rank(b)) };
}

/** What is shared, such as a header, changes once, however many operations refer to it. */
function unique(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
