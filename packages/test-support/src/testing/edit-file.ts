import { readFileSync, writeFileSync } from 'node:fs';

/** Changes a file. Throws if the edit changes nothing. */
export function editFile(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${file} is not as it is expected to be`);
  writeFileSync(file, after);
}
