import { notInstalled, type ProgramName } from './installed.ts';

/** A suite that needs other programs. If one is missing, it is skipped with a line; with CI set, it fails. */
export function describeWith(programs: readonly ProgramName[], title: string, suite: () => void): void {
  const missing = notInstalled(...programs);
  if (missing === undefined) describe(title, suite);
  else skip(title, missing);
}

/** A test of what only root may do. For others it is skipped with a line; with CI set, it fails. */
export function testAsRoot(title: string, run: Parameters<typeof test>[1]): void {
  if (process.getuid?.() === 0) test(title, run);
  else skip(title, 'only root may do this');
}

function skip(title: string, reason: string): void {
  const line = `skipped: ${title}; ${reason}`;
  if (process.env['CI']) {
    test(title, () => {
      throw new Error(line);
    });
    return;
  }
  process.stderr.write(`${line}\n`);
  test.todo(line);
}
