import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { featuresFolder, root } from '../workspace.ts';

export interface Place {
  /** From the root. */
  readonly file: string;
  readonly line: number;
  readonly operationId: string;
}

/** The places of `notYet` in the sources, one per line, as prettier formats them. */
export async function placesOfNotYet(workspace = root): Promise<Place[]> {
  const folder = path.join(workspace, featuresFolder);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  const places = names.map(async (name) => {
    const lines = (await readFile(path.join(folder, name), 'utf8')).split('\n');
    return lines.flatMap((text, index): Place[] => {
      const [, operationId] = /^\s*['"]?([\w$]+)['"]?: notYet\b/.exec(text) ?? [];
      return operationId ? [{ file: `${featuresFolder}/${name}`, line: index + 1, operationId }] : [];
    });
  });
  return (await Promise.all(places)).flat();
}
