import path from 'node:path';
import { createRequire } from 'node:module';
import type * as TypeScript from 'typescript';
import type { Outputs } from '@kit/tools/emit';
import { root } from '@kit/tools/workspace';

// Not `import`, for which Node.js searches all of TypeScript for its exports.
const ts = createRequire(import.meta.url)('typescript') as typeof TypeScript;

const OPTIONS: TypeScript.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: [],
};

/** A program that implements every operation for the compiler. */
const HANDLERS = `import type { Handlers } from '@kit/server';
import type { Operations } from './operations.ts';
export declare const handlers: Handlers<Operations>;
type Answers = { [Id in keyof Operations]: Awaited<ReturnType<(typeof handlers)[Id]>> };
export type Statuses = Answers[keyof Answers]['status'];
`;

/** The first compiler error in each of `generated`, by name; all in one program. */
export function compile(generated: ReadonlyMap<string, Outputs>): Map<string, string> {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const [index, [name, outputs]] of [...generated].entries()) {
    // A virtual file, in a place from which the kit's packages resolve.
    const folder = path.join(root, 'packages/kit/check', `checked-${index}`);
    folders.set(folder, name);
    for (const [file, code] of Object.entries({ ...outputs, 'handlers.ts': HANDLERS }))
      files.set(path.join(folder, file), code);
  }
  const host = ts.createCompilerHost(OPTIONS);
  const program = ts.createProgram([...files.keys()], OPTIONS, {
    ...host,
    getSourceFile(file, ...rest) {
      const code = files.get(file);
      return code === undefined
        ? host.getSourceFile(file, ...rest)
        : ts.createSourceFile(file, code, ts.ScriptTarget.ES2023);
    },
    directoryExists: (folder) => folders.has(folder) || (host.directoryExists?.(folder) ?? true),
    fileExists: (file) => files.has(file) || host.fileExists(file),
    readFile: (file) => files.get(file) ?? host.readFile(file),
  });
  const found = new Map<string, string>();
  for (const file of files.keys()) {
    const name = folders.get(path.dirname(file)) ?? '';
    const source = program.getSourceFile(file);
    const [first] = found.has(name)
      ? []
      : [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    if (first)
      found.set(name, `${path.basename(file)}: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')}`);
  }
  return found;
}
