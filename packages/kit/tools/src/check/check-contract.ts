import type { SourceDocument, Problem } from '../source-document.ts';
import { checkSupport } from '../support/check-support.ts';
import { checkCatalogues, checkErrorCodes, checkServers, requirePlans } from './document-rules.ts';
import { checkExamples } from './examples.ts';
import { checkIds } from './ids.ts';
import { checkDeprecation, checkNames, checkOperations, checkStatuses } from './operations.ts';
import { checkErrors, checkHeaders, checkShown } from './responses.ts';
import { checkTags } from './tags.ts';

type Check = (contract: SourceDocument) => Iterable<Problem>;

/** The house rules, which a project switches on by their names, as `rules` in service.json. */
const RULES: Readonly<Record<string, readonly Check[]>> = {
  /** What does no harm is a mistake too. */
  strict: [strict, checkTags],
  names: [checkNames, checkIds],
  servers: [checkServers],
  plans: [requirePlans],
  errors: [checkErrorCodes, checkErrors],
  responses: [checkStatuses],
  headers: [checkHeaders],
  examples: [checkExamples, checkShown],
  deprecation: [checkDeprecation],
};

export const houseRules: readonly string[] = Object.keys(RULES);

/** What every contract is held against. */
const ALWAYS: readonly Check[] = [
  ({ problems }) => problems,
  (contract) => checkSupport(contract).problems,
  checkOperations,
  checkCatalogues,
];

/** Every mistake that keeps `contract` from being generated from, by `rules` too, in the order of reading. */
export function checkContract(contract: SourceDocument, rules: readonly string[] = []): Problem[] {
  const checks = [...ALWAYS, ...rules.flatMap((rule) => RULES[rule] ?? [])];
  const problems = checks.flatMap((check) => [...check(contract)]);
  // What is shared, such as a response, is found once for every operation that refers to it.
  const unique = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...unique.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

function strict(contract: SourceDocument): Problem[] {
  return [...contract.remarks, ...checkSupport(contract).remarks];
}
