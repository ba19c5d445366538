import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkContract } from '../check/check-contract.ts';
import { readContract, type Problem } from '../source-document.ts';

const CONFIG = path.join(import.meta.dirname, 'redocly.yaml');
/** The project's configuration, next to its contract and its ignore file. */
const OWN_CONFIG = 'redocly.yaml';
const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly [{ readonly start: { readonly line: number; readonly col: number } }];
  }[];
}

/** The findings of the house `rules` and Redocly in the contract `file`. Throws a ContractError if it is not YAML. */
export async function lintContract(file: string, rules: readonly string[]): Promise<Problem[]> {
  const ours = checkContract(await readContract(file), rules);
  return [...ours, ...(await redoclyProblems(file))];
}

/** The problems that Redocly's rules find in any OpenAPI document. */
export async function redoclyProblems(file: string): Promise<Problem[]> {
  return (await reportOf(file)).problems.map(({ ruleId, message, location: [{ start }] }): Problem => {
    return { line: start.line, column: start.col, message: `${message} (${ruleId})` };
  });
}

async function reportOf(file: string): Promise<Report> {
  const own = path.join(path.dirname(file), OWN_CONFIG);
  const config = existsSync(own) ? own : CONFIG;
  const limit = `--max-problems=${Number.MAX_SAFE_INTEGER}`;
  const args = [redocly, 'lint', path.basename(file), `--config=${config}`, limit, '--format=json'];
  const options = { cwd: path.dirname(file), maxBuffer: 64 * 1024 * 1024 };
  // Its exit code repeats the report, so only a run without a report failed.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  if (!stdout.startsWith('{')) throw new Error(`redocly lint failed:\n${stderr || stdout}`);
  return JSON.parse(stdout) as Report;
}
