import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type Typescript from 'typescript';

const { ModuleKind, ScriptTarget, transpileModule } = createRequire(import.meta.url)(
  'typescript',
) as typeof Typescript;

/** The exports of the generated client in `folder`, as JavaScript in the same folder: not every Node.js runs TypeScript. */
export async function importClient<Exports>(folder: string): Promise<Exports> {
  const compilerOptions = {
    ...{ module: ModuleKind.ESNext, target: ScriptTarget.ES2022 },
    ...{ verbatimModuleSyntax: true, rewriteRelativeImportExtensions: true },
  };
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
    const source = readFileSync(path.join(folder, name), 'utf8');
    const { outputText } = transpileModule(source, { compilerOptions });
    writeFileSync(path.join(folder, name.replace(/ts$/, 'js')), outputText);
  }
  return (await import(pathToFileURL(path.join(folder, 'index.js')).href)) as Exports;
}
