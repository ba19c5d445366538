import { ContractError, type SourceDocument } from '@contract-kit/core/openapi';
import { checkContract } from '../rules/check-contract.ts';
import {
  compareDescription,
  compareErrorCodes,
  comparePlans,
  compareSchemaNames,
  compareServers,
} from './catalogues.ts';
import { IMPACTS, type Change, type Impact, type Pair } from './change.ts';
import { compareOperations } from './operations.ts';
import {
  checkDisappearances,
  checkPathSegment,
  checkVersionRises,
  neededVersion,
  versionIn,
  type Objection,
} from './requirements.ts';
import { compareSchemes } from './security.ts';
import { releasedName } from '../workspace.ts';

/** The verdict on a contract. It may be released if there are no problems. */
export interface Verdict {
  /** The released version, and the one that is to follow it. */
  readonly versions: { readonly base: string; readonly revision: string };
  /** The part of the version that must rise; undefined if nothing has changed. */
  readonly impact: Impact | undefined;
  /** The lowest version that the changes allow; undefined if one of the two is not semantic. */
  readonly needed: string | undefined;
  /** The most severe first. */
  readonly changes: readonly Change[];
  readonly problems: readonly Objection[];
}

/**
 * Compares the contract `revision` with the released `base`, which messages call `baseName`. `today` (YYYY-MM-DD) decides
 * which sunsets have passed. Throws a ContractError if a contract is not sound.
 */
export function judge(
  base: SourceDocument,
  revision: SourceDocument,
  today: string,
  baseName = releasedName,
): Verdict {
  try {
    // What cannot be read would not be compared.
    if (base.problems.length > 0 || revision.problems.length > 0)
      throw new Error('a contract cannot be read as a whole');
    return verdictOn({ base, revision, today, compared: new Set() });
  } catch (error) {
    // One that `generate` rejects may be compared, such as one without security, unless a part cannot be read.
    for (const [contract, name] of [[revision], [base, baseName]] as const) {
      const problems = checkContract(contract);
      if (problems.length > 0) throw new ContractError(problems, name);
    }
    throw error;
  }
}

function verdictOn(pair: Pair): Verdict {
  const changes = changesIn(pair);
  const impact = changes[0]?.impact;
  return {
    versions: { base: String(versionIn(pair.base)), revision: String(versionIn(pair.revision)) },
    impact,
    needed: neededVersion(pair, impact)?.join('.'),
    changes,
    problems: [...checkVersionRises(pair, impact), ...checkPathSegment(pair), ...checkDisappearances(pair)],
  };
}

const COMPARISONS: readonly ((pair: Pair) => Iterable<Change>)[] = [
  compareOperations,
  compareSchemaNames,
  compareSchemes,
  comparePlans,
  compareErrorCodes,
  compareServers,
  compareDescription,
];

function changesIn(pair: Pair): Change[] {
  const changes = COMPARISONS.flatMap((compare) => [...compare(pair)]);
  // A shared component changes once, however many operations refer to it.
  const unique = [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
  const rank = ({ impact }: Change) => IMPACTS.indexOf(impact);
  return unique.sort((a, b) => rank(a) - rank(b));
}
