import { ContractError, parseContract, type Problem, type SourceDocument } from '../source-document.ts';
import { checkContract } from '../check/check-contract.ts';
import type { Change, Impact } from './change.ts';
import { compareContracts } from './compare-contracts.ts';
import {
  checkDisappearances,
  checkPathSegment,
  checkVersionRises,
  neededVersion,
  type Problem as Objection,
} from './requirements.ts';

/** The verdict on a contract. It may be released if there are no problems. */
export interface Verdict {
  /** The released version, and the one that is to follow it. */
  readonly versions: { readonly base: string; readonly revision: string };
  /** The part of the version that must rise; undefined if nothing has changed. */
  readonly impact: Impact | undefined;
  /** The lowest version that the changes allow; undefined if the released one cannot be read. */
  readonly needed: string | undefined;
  readonly changes: readonly Change[];
  readonly problems: readonly Objection[];
}

/**
 * Compares the contract `revision` with the released `base`, both as text. `today` (YYYY-MM-DD) decides which sunsets have
 * passed. Throws a ContractError if a contract is not sound.
 */
export function judge(base: string, revision: string, today: string): Verdict {
  const { pair, changes } = compareSound(base, revision, today);
  const impact = changes[0]?.impact;
  const versionOf = ({ document }: SourceDocument) => String(document.info?.version);
  return {
    versions: { base: versionOf(pair.base), revision: versionOf(pair.revision) },
    impact,
    needed: neededVersion(pair, impact)?.join('.'),
    changes,
    problems: [...checkVersionRises(pair, impact), ...checkPathSegment(pair), ...checkDisappearances(pair)],
  };
}

/** A contract that `generate` rejects may be compared, such as one without security, unless a reference is broken. */
function compareSound(
  ...[base, revision, today]: Parameters<typeof compareContracts>
): ReturnType<typeof compareContracts> {
  try {
    return compareContracts(base, revision, today);
  } catch (error) {
    for (const [text, file] of [[revision], [base, 'the released openapi.yaml']] as const) {
      const problems = problemsIn(text);
      if (problems.length > 0) throw new ContractError(problems, file);
    }
    throw error;
  }
}

function problemsIn(text: string): readonly Problem[] {
  try {
    return checkContract(parseContract(text));
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
}
