import type { SourceDocument, Problem } from '../source-document.ts';
import { checkSupport } from '../support/check-support.ts';
import { checkErrorCodes, checkPlans, checkServers } from './document-rules.ts';
import { checkExamples } from './examples.ts';
import { checkIds } from './ids.ts';
import { checkOperations } from './operations.ts';
import { checkResponses } from './responses.ts';

const RULES = [
  checkServers,
  checkPlans,
  checkErrorCodes,
  checkOperations,
  checkResponses,
  checkExamples,
  checkIds,
];

/** Every mistake that keeps `contract` from being generated from, in the order of reading. */
export function checkContract(contract: SourceDocument): Problem[] {
  const { problems: unsupported, isSound } = checkSupport(contract);
  // The other checks rely on shapes, and follow references.
  const rules = isSound ? RULES.flatMap((check) => [...check(contract)]) : [];
  const problems = [...unsupported, ...rules];
  // What is shared, such as a response, is found once for every operation that refers to it.
  const unique = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...unique.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}
