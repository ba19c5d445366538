import { NAMES, checkFile, type Accepted } from './check-file.ts';

/** The generated code that is compiled at once, in characters: more would need too much memory. */
const BATCH = 20_000_000;

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
  const accepted = new Map<string, Accepted>();
  const finish = async () => {
    // Loading the full check takes a second.
    const [{ compile }, { serveFile }] = quick
      ? [{ compile: undefined }, { serveFile: undefined }]
      : await Promise.all([import('./compile.ts'), import('./serve.ts')]);
    const outputs = new Map([...accepted].map(([file, { outputs }]) => [file, outputs]));
    const compiling = compile?.(outputs);
    // The servers run while the compiler, another process, is at work.
    const served = new Map<string, readonly string[]>();
    for (const [file, { contract }] of accepted)
      served.set(file, (await serveFile?.(file, contract, NAMES)) ?? []);
    const mistakes = await compiling;
    for (const [file, { note }] of accepted) {
      const mistake = mistakes?.get(file);
      const wrong =
        mistake === undefined
          ? (served.get(file) ?? [])
          : [`${file}:1:1: its types do not compile: ${mistake}`];
      if (wrong.length > 0) refuse(wrong);
      else print(`${file}: works${note}`);
    }
    accepted.clear();
  };
  let waiting = 0;
  for (const file of files) {
    const verdict = await checkFile(file);
    if ('refusals' in verdict) {
      refuse(verdict.refusals);
      continue;
    }
    accepted.set(file, verdict);
    waiting += Object.values(verdict.outputs).join('').length;
    if (waiting > BATCH) {
      await finish();
      waiting = 0;
    }
  }
  await finish();
  return allWork;
}
