import type { Operation } from '@contract-kit/core/model';
import {
  ContractError,
  readContract,
  type Problem,
  type Reading,
  type SourceDocument,
} from '@contract-kit/core/openapi';
import { checkIgnored, checkSupport } from '../support/check-support.ts';
import { checkBodySizes } from './body-sizes.ts';
import { checkCatalogues, checkComplete, checkServers, requirePlans } from './document-rules.ts';
import { checkCookies } from './cookies.ts';
import { checkErrors } from './errors.ts';
import { checkExamples, checkMisfits } from './example-problems.ts';
import { checkIds } from './ids.ts';
import { checkDeprecation, checkName, checkOperations, checkTags } from './operations.ts';

type Check = (contract: SourceDocument) => Iterable<Problem>;

const ofOperations =
  (check: (contract: SourceDocument, operation: Operation) => Iterable<Problem>): Check =>
  (contract) =>
    contract.model.operations.flatMap((operation) => [...check(contract, operation)]);

/** The house rules, which a project turns on by name, as `rules` in service.json. */
const RULES: Readonly<Record<string, readonly Check[]>> = {
  /** Harmless mistakes count too. */
  strict: [checkIgnored, ofOperations(checkTags)],
  names: [ofOperations(checkName), checkIds],
  servers: [checkServers],
  plans: [requirePlans],
  errors: [checkErrors],
  complete: [checkComplete],
  examples: [checkExamples],
  deprecation: [ofOperations(checkDeprecation)],
};

export const houseRules: readonly string[] = Object.keys(RULES);

/** The rules for every contract. */
const ALWAYS: readonly Check[] = [({ problems }) => problems, checkSupport, checkOperations, checkCatalogues];

/** Every mistake that prevents generating from `contract`, including those by `rules`, in document order. */
export function checkContract(contract: SourceDocument, rules: readonly string[] = []): Problem[] {
  const checks = [...ALWAYS, ...rules.flatMap((rule) => RULES[rule] ?? [])];
  const problems = checks.flatMap((check) => [...check(contract)]);
  // A file that cannot be read is reported once per reference to it.
  const unique = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...unique.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

/**
 * What would be ignored, bodies that are rejected for their size, examples that do not fit, and a GET that other sites can
 * forge: it works, but was not meant.
 */
export function remarksOn(contract: SourceDocument): Problem[] {
  const ofEach = [checkBodySizes, checkCookies].flatMap((check) => [...ofOperations(check)(contract)]);
  return [...checkIgnored(contract), ...ofEach, ...checkMisfits(contract)];
}

interface SoundReading extends Reading {
  /** The house rules. */
  readonly rules?: readonly string[];
}

/** Reads a contract without problems. Throws a ContractError. */
export async function readSound(file: string, { rules = [], ...reading }: SoundReading = {}) {
  const contract = await readNamed(file, reading);
  const problems = checkContract(contract, rules);
  if (problems.length > 0) throw new ContractError(problems, reading.name);
  return contract;
}

/** Reads a contract, which messages call `name`. Throws a ContractError. */
export function readNamed(file: string, { name = 'openapi.yaml', root }: Reading = {}) {
  return readContract(file, { root, name }).catch((error: unknown) => {
    throw error instanceof ContractError ? new ContractError(error.problems, name) : error;
  });
}
