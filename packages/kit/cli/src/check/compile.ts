import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Outputs } from '../generate/emit.ts';

/** The packages of the kit that generated code imports are next to this one. */
const kit = path.resolve(import.meta.dirname, '../../..');

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

/** Writes generated code into a folder where it compiles and runs, while `use` uses it. */
export async function inNewFolder<Result>(
  outputs: Outputs,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-check-'));
  try {
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(kit, path.join(folder, 'node_modules/@contract-kit'), 'junction');
    const settings = {
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS }),
    };
    for (const [file, text] of Object.entries({ ...settings, ...outputs })) {
      const target = path.join(folder, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first compiler error in the generated code in `folder`. Throws an Error if it could not be compiled at all. */
export async function compileIn(folder: string): Promise<string | undefined> {
  try {
    const home = path.dirname(createRequire(import.meta.url).resolve('typescript-7/package.json'));
    const args = [path.join(home, 'lib/tsc.js'), '-p', '.', '--pretty', 'false', '--singleThreaded'];
    await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: Infinity });
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const [, file, line, code, text] = /^(.*)\((\d+),\d+\): error TS(\d+): (.*)/m.exec(stdout) ?? [];
    // Without a module (TS2307), the kit is not installed as it should be.
    if (text && code !== '2307') return `${file}:${line}: ${text}`;
    throw new Error(`the compiler failed: ${(stderr || stdout || message).trim()}`, { cause: error });
  }
}

export const compile = (outputs: Outputs) => inNewFolder(outputs, compileIn);
