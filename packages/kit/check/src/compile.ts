import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Outputs } from '@kit/tools/emit';
import { root } from '@kit/tools/workspace';

const OPTIONS = {
  target: 'ES2023',
  module: 'NodeNext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: [],
};

interface Compiled {
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** The first compiler error in each of `generated`, by name; all in one program. */
export async function compile(generated: ReadonlyMap<string, Outputs>): Promise<Map<string, string>> {
  const names = [...generated.keys()];
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-check-'));
  try {
    // So that imports of the kit's packages resolve.
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }));
    for (const [index, outputs] of [...generated.values()].entries()) {
      for (const [file, code] of Object.entries(outputs)) {
        const target = path.join(folder, String(index), file);
        mkdirSync(path.dirname(target), { recursive: true });
        writeFileSync(target, code);
      }
    }
    const args = [path.join(root, 'scripts/tsc.mjs'), '-p', '.', '--pretty', 'false', '--singleThreaded'];
    const { failed, stdout, stderr } = await new Promise<Compiled>((resolve) => {
      execFile(process.execPath, args, { cwd: folder, maxBuffer: Infinity }, (error, stdout, stderr) => {
        resolve({ failed: error !== null, stdout, stderr });
      });
    });
    const found = [...stdout.matchAll(/^(\d+)\/(.*)\((\d+),\d+\): error \w+: (.*)/gm)].toReversed();
    if (failed && found.length === 0)
      return new Map(
        names.map((name) => [name, `the compiler failed: ${(stderr || stdout).split('\n', 1)[0]}`]),
      );
    return new Map(
      found.map(([, index, file = '', line, message]) => [
        names[Number(index)] ?? '',
        `${path.basename(file)}:${line}: ${message}`,
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
