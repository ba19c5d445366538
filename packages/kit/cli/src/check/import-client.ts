import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

/** The exports of the generated client in `folder`, as JavaScript in the same folder: not every Node.js runs TypeScript. */
export async function importClient<Exports>(folder: string): Promise<Exports> {
  const outfile = path.join(folder, 'index.js');
  buildSync({
    ...{ entryPoints: [path.join(folder, 'index.ts')], outfile, logLevel: 'silent' },
    ...{ bundle: true, packages: 'external', format: 'esm', target: 'es2022' },
  });
  return (await import(pathToFileURL(outfile).href)) as Exports;
}
