import { NAMES, checkFile } from './check-file.ts';
import type { Outputs } from '@kit/tools/emit';

/** The most contracts in one compilation: more would need too much memory. */
const BATCH = 20;

interface CheckOptions {
  /** Leaves out the compiler and the server. */
  readonly quick: boolean;
  readonly print: (line: string) => void;
}

/** Prints for each of `files` that it works, or why it is refused. Resolves to whether all work. */
export async function checkFiles(files: readonly string[], { quick, print }: CheckOptions): Promise<boolean> {
  let allWork = true;
  const refuse = (lines: readonly string[]) => {
    allWork = false;
    for (const line of lines) print(line);
  };
  for (let start = 0; start < files.length; start += BATCH) {
    const accepted = new Map<string, { readonly outputs: Outputs; readonly note: string }>();
    for (const file of files.slice(start, start + BATCH)) {
      const verdict = await checkFile(file);
      if ('outputs' in verdict) accepted.set(file, verdict);
      else refuse(verdict.refusals);
    }
    // Loading the full check takes a second.
    const [{ compile }, { serveFile }] = quick
      ? [{ compile: undefined }, { serveFile: undefined }]
      : await Promise.all([import('./compile.ts'), import('./serve.ts')]);
    const outputs = new Map([...accepted].map(([file, verdict]) => [file, verdict.outputs]));
    const mistakes = compile?.(outputs) ?? new Map<string, string>();
    for (const [file, { note }] of accepted) {
      const mistake = mistakes.get(file);
      const wrong =
        mistake === undefined
          ? await serveFile?.(file, NAMES)
          : [`${file}:1:1: its types do not compile: ${mistake}`];
      if (wrong && wrong.length > 0) refuse(wrong);
      else print(`${file}: works${note}`);
    }
  }
  return allWork;
}
