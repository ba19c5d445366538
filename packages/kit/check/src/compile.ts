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

/** The first compiler error in each of `generated`, by name; all in one program. */
export function compile(generated: ReadonlyMap<string, Outputs>): Map<string, string> {
  const files = new Map<string, { readonly name: string; readonly code: string }>();
  for (const [index, [name, outputs]] of [...generated].entries()) {
    // A virtual file, in a place from which the kit's packages resolve.
    const folder = path.join(root, 'packages/kit/check', `checked-${index}`);
    for (const [file, code] of Object.entries(outputs)) files.set(path.join(folder, file), { name, code });
  }
  const folders = new Set([...files.keys()].map((file) => path.dirname(file)));
  const host = ts.createCompilerHost(OPTIONS);
  const program = ts.createProgram([...files.keys()], OPTIONS, {
    ...host,
    getSourceFile(file, ...rest) {
      const code = files.get(file)?.code;
      return code === undefined
        ? host.getSourceFile(file, ...rest)
        : ts.createSourceFile(file, code, ts.ScriptTarget.ES2023);
    },
    directoryExists: (folder) => folders.has(folder) || (host.directoryExists?.(folder) ?? true),
    fileExists: (file) => files.has(file) || host.fileExists(file),
    readFile: (file) => files.get(file)?.code ?? host.readFile(file),
  });
  const found = new Map<string, string>();
  for (const [file, { name }] of files) {
    const source = program.getSourceFile(file);
    const [first] = found.has(name)
      ? []
      : [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    if (!first) continue;
    const { line = 0 } =
      source && first.start !== undefined ? source.getLineAndCharacterOfPosition(first.start) : {};
    const message = ts.flattenDiagnosticMessageText(first.messageText, ' ');
    found.set(name, `${path.basename(file)}:${line + 1}: ${message}`);
  }
  return found;
}
