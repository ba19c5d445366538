import { existsSync } from 'node:fs';
import path from 'node:path';
import { runCommand, type Terminal } from '../command.ts';
import { readContract } from '@contract-kit/core/openapi';
import { releasedName, root } from '../workspace.ts';
import { judge } from './gate.ts';
import { readBase } from './git.ts';
import { report } from './report.ts';

const USAGE = `Usage: contract-kit diff [TAG|FILE]

Compares openapi.yaml, with the files that it refers to, with the last release, which is ${releasedName}, and says what each change means to clients.
Fails if info.version rises by less than the changes need, if a new major version keeps the path segment of the old one,
or if an operation disappears before its sunset date.

  TAG|FILE    compare with another file, or with openapi.yaml at a git tag, branch or commit
  --help      print this

Exit codes: 0 may be released (or nothing is released yet), 1 may not, 2 wrong usage.`;

export interface Surroundings extends Terminal {
  readonly root: string;
  /** As YYYY-MM-DD. */
  readonly today: string;
}

/** The command: prints the verdict and returns the exit code. */
export function run({ root, today, ...terminal }: Surroundings): Promise<number> {
  return runCommand(
    USAGE,
    {},
    async (_, base = releasedName) => {
      if (base === releasedName && !existsSync(path.join(root, releasedName))) {
        terminal.out(`Nothing is released yet: there is no ${releasedName} to compare openapi.yaml with.`);
        return 0;
      }
      const { name, contract } = await readBase(root, base);
      const verdict = judge(
        contract,
        await readContract(path.join(root, 'openapi.yaml'), { name: 'openapi.yaml' }),
        today,
        name,
      );
      terminal.out(report(verdict, name));
      return verdict.problems.length === 0 ? 0 : 1;
    },
    terminal,
    1,
  );
}

export const main = (terminal: Terminal) =>
  run({ ...terminal, root, today: new Date().toISOString().slice(0, 10) });
