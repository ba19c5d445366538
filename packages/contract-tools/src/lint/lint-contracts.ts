import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseContract, type Problem } from '../contract.ts';
import { runRedocly } from '../redocly.ts';

const CONFIG = path.join(import.meta.dirname, 'redocly.yaml');

export interface Finding extends Problem {
  readonly file: string;
  readonly rule: string;
}

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly [
      {
        readonly source: { readonly ref: string };
        readonly start: { readonly line: number; readonly col: number };
      },
    ];
  }[];
}

/**
 * What Redocly's rules and the house rules find in the contracts `files`, which are relative to `folder`, in the
 * order of reading. Throws a ContractError if one of them is not YAML.
 */
export async function lintContracts(files: readonly string[], folder: string): Promise<Finding[]> {
  for (const file of files) parseContract(await readFile(path.join(folder, file), 'utf8'));
  const limit = `--max-problems=${Number.MAX_SAFE_INTEGER}`;
  const reports = await runRedocly<Report>(['lint', ...files, `--config=${CONFIG}`, limit], folder);
  const findings = reports
    .flatMap(({ problems }) => problems)
    .map(({ ruleId, message, location: [{ source, start }] }): Finding => {
      return { file: source.ref, line: start.line, column: start.col, rule: ruleId, message };
    });
  return unique(findings).sort((a, b) => a.line - b.line || a.column - b.column);
}

/** What is shared, such as a response, is found once for every operation that refers to it. */
function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
