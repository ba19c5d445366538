import path from 'node:path';
import { checkContract } from '../check/check-contract.ts';
import { readContract, type Problem } from '../contract.ts';
import { runRedocly } from './redocly.ts';

const CONFIG = path.join(import.meta.dirname, 'redocly.yaml');

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly [{ readonly start: { readonly line: number; readonly col: number } }];
  }[];
}

/**
 * What the rules of the house, and then those of Redocly, find in the contract `file`. Throws a ContractError if it is
 * not YAML.
 */
export async function lintContract(file: string): Promise<Problem[]> {
  const ours = checkContract(await readContract(file));
  const limit = `--max-problems=${Number.MAX_SAFE_INTEGER}`;
  const args = ['lint', path.basename(file), `--config=${CONFIG}`, limit];
  const report = await runRedocly<Report>(args, path.dirname(file));
  const theirs = report.problems.map(({ ruleId, message, location: [{ start }] }): Problem => {
    return { line: start.line, column: start.col, message: `${message} (${ruleId})` };
  });
  return [...ours, ...theirs];
}
