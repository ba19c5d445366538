import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand, type Terminal } from '../command.ts';
import { clientManifestFile } from '../workspace.ts';
import { judge } from './gate.ts';
import { isShallow, lastRelease, releaseAt } from './git.ts';
import { report } from './report.ts';

const USAGE = `Usage: npm run contract:diff [-- --base REF]

Compares openapi.yaml with the last release, which is the highest git tag v1.2.3 that HEAD contains, and says what
each change means to clients. Fails if info.version, or the version of packages/client, rises by less than the changes
need, if a new major version keeps the path segment of the old one, or if an operation disappears before its sunset date.

  --base REF  compare with another git tag, branch or commit
  --help      print this

Exit codes: 0 may be released (or nothing is released yet), 1 may not, 2 wrong usage.`;

export interface Surroundings extends Terminal {
  /** The folder of openapi.yaml, in a git repository. */
  readonly root: string;
  /** As YYYY-MM-DD. */
  readonly today: string;
}

/** The command: prints the verdict and returns the exit code. */
export function run({ root, today, ...terminal }: Surroundings): Promise<number> {
  const options = { base: { type: 'string' } } as const;
  return runCommand(
    USAGE,
    options,
    async ({ base }) => {
      const ref = base ?? (await lastRelease(root));
      if (ref === undefined) {
        terminal.out(await nothingReleased(root));
        return 0;
      }
      const contract = await readFile(path.join(root, 'openapi.yaml'), 'utf8');
      const client = await readFile(path.join(root, clientManifestFile), 'utf8').catch(() => undefined);
      const verdict = judge(await releaseAt(root, ref), { contract, client }, today);
      terminal.out(report(verdict, ref));
      return verdict.problems.length === 0 ? 0 : 1;
    },
    terminal,
  );
}

async function nothingReleased(root: string): Promise<string> {
  const line = 'Nothing is released yet (no git tag v1.2.3): there is nothing to compare openapi.yaml with.';
  if (!(await isShallow(root))) return line;
  return `${line}\nBut this clone is shallow and may not know of releases: git fetch --unshallow --tags`;
}
