import { createTwoFilesPatch } from 'diff';

/** What it takes to turn `before` into `after`, as a unified diff; a file that is missing is empty. */
export function unifiedDiff(name: string, before = '', after = ''): string {
  return createTwoFilesPatch(`on disk: ${name}`, `generated: ${name}`, before, after, '', '', { context: 3 });
}
