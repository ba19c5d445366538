import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

/** The exports of the generated client in `folder`, as JavaScript in the same folder: not every Node.js runs TypeScript. */
export async function importClient<Exports>(folder: string): Promise<Exports> {
  const outfile = path.join(folder, 'index.js');
  await build({
    ...{ entryPoints: [path.join(folder, 'index.ts')], outfile, logLevel: 'silent' },
    ...{ bundle: true, packages: 'external', format: 'esm', target: 'es2022' },
  });
  // Its process would stay, with what it has read.
  await stop();
  return (await import(pathToFileURL(outfile).href)) as Exports;
}
