import { type Contract, type Json, type Pointer, type Problem } from '../contract.ts';
import { checkErrorCodes, checkPlans, checkServers } from './catalogues.ts';
import { checkIds } from './ids.ts';
import { checkOperations } from './operations.ts';
import { checkResponses } from './responses.ts';

/**
 * The rules of the house: every mistake that keeps `contract` from being generated from, in the order of reading.
 * What any OpenAPI document must keep to is left to Redocly (`npm run contract:lint`).
 */
export function checkContract(contract: Contract): Problem[] {
  // The other checks follow references, so those come first.
  const dangling = [...checkReferences(contract, contract.document)];
  const problems =
    dangling.length > 0
      ? dangling
      : [checkServers, checkPlans, checkErrorCodes, checkOperations, checkResponses, checkIds].flatMap(
          (check) => [...check(contract)],
        );
  // What is shared, such as a response, is found once for every operation that refers to it.
  const unique = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...unique.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

function* checkReferences(contract: Contract, node: Json, pointer: Pointer = []): Iterable<Problem> {
  if (typeof node !== 'object' || node === null) return;
  if (typeof node.$ref === 'string' && contract.resolve(node) === undefined) {
    yield contract.problemAt([...pointer, '$ref'], `${node.$ref} refers to nothing`);
  }
  for (const [key, child] of Object.entries(node)) yield* checkReferences(contract, child, [...pointer, key]);
}
