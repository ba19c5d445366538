import { notInstalled, type ProgramName } from './installed.ts';

/**
 * A suite that needs other programs. Where one is missing it is skipped, and one line says what was; with CI set
 * that is a failure, because there everything is to be run.
 */
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
