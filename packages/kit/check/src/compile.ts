import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
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

/** The first compiler error in the generated code. */
export async function compile(outputs: Outputs): Promise<string | undefined> {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-check-'));
  try {
    // So that imports of the kit's packages resolve.
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    const settings = {
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS }),
    };
    for (const [file, text] of Object.entries({ ...settings, ...outputs })) {
      const target = path.join(folder, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    const args = [path.join(root, 'scripts/tsc.mjs'), '-p', '.', '--pretty', 'false', '--singleThreaded'];
    await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: Infinity });
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const [, file, line, text] = /^(.*)\((\d+),\d+\): error \w+: (.*)/m.exec(stdout) ?? [];
    return text ? `${file}:${line}: ${text}` : `the compiler failed: ${stderr || stdout || message}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
