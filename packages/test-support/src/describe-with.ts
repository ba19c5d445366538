import { notInstalled, type ProgramName } from './installed.ts';

/** A suite that needs other programs. If one is missing, it is skipped with a line; with CI set, it fails. */
export function describeWith(programs: readonly ProgramName[], title: string, suite: () => void): void {
  const missing = notInstalled(...programs);
  if (missing === undefined) {
    describe(title, suite);
    return;
  }
  const line = `skipped: ${title}; ${missing}`;
  if (process.env['CI']) {
    test(title, () => {
      throw new Error(line);
    });
    return;
  }
  process.stderr.write(`${line}\n`);
  test.todo(line);
}
