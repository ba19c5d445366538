// The type check of `npm run dev`, in a process of its own: the compiler holds its thread for seconds. Answers every
// message with its number and what is wrong now.
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import type TypeScript from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
// Required, not imported: that is a second faster.
const ts = createRequire(import.meta.url)('typescript') as typeof TypeScript;
const noEmit = { noEmit: true };

let program: TypeScript.SemanticDiagnosticsBuilderProgram | undefined;
const sources = new Map<string, { time: number | undefined; file: TypeScript.SourceFile | undefined }>();

function check(): string[] {
  const found: TypeScript.Diagnostic[] = [];
  const onUnRecoverableConfigFileDiagnostic = (each: TypeScript.Diagnostic) => found.push(each);
  const config = ts.getParsedCommandLineOfConfigFile(path.join(root, 'tsconfig.json'), noEmit, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic,
  });
  found.push(...(config?.errors ?? []));
  if (config && found.length === 0) {
    program = ts.createSemanticDiagnosticsBuilderProgram(
      config.fileNames,
      config.options,
      hostOf(config.options),
      program,
    );
    found.push(...program.getGlobalDiagnostics(), ...program.getSyntacticDiagnostics());
    found.push(...program.getSemanticDiagnostics());
  }
  return found.map(textOf);
}

/** Reads a file again only where it has changed. */
function hostOf(options: TypeScript.CompilerOptions): TypeScript.CompilerHost {
  const host = ts.createIncrementalCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    const time = ts.sys.getModifiedTime?.(name)?.getTime();
    const known = sources.get(name);
    if (known && known.time === time) return known.file;
    const file = read(name, ...rest);
    sources.set(name, { time, file });
    return file;
  };
  // A file that is new or gone changes where an import of another one leads.
  host.hasInvalidatedResolutions = () => true;
  return host;
}

function textOf({ messageText, file, start }: TypeScript.Diagnostic): string {
  const message = ts.flattenDiagnosticMessageText(messageText, '\n');
  if (!file || start === undefined) return message;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${path.relative(root, file.fileName)}:${line + 1}:${character + 1}: ${message}`;
}

// The server comes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.on('message', (number) => process.send?.({ number, mistakes: check() }));
process.on('disconnect', () => process.exit());
