import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { checkContract } from '../check/check-contract.ts';
import { ContractError, parseContract } from '../contract.ts';
import { emit, type Outputs } from './emit.ts';
import { contractFile, generatedFolder } from '../workspace.ts';

export { contractFile, generatedFolder };

const BANNER = `// Generated from openapi.yaml by \`npm run generate\`. Edit openapi.yaml instead.\n\n`;

/** Everything that openapi.yaml leads to, formatted. Throws a ContractError where it cannot be generated from. */
export async function generate(file = contractFile): Promise<Outputs> {
  const contract = parseContract(await readFile(file, 'utf8'));
  const problems = checkContract(contract);
  if (problems.length > 0) throw new ContractError(problems);
  const outputs = await emit(contract);
  const style = await resolveConfig(generatedFolder + '/x.ts');
  const formatted = Object.entries(outputs).map(async ([name, code]) => {
    return [name, await format(BANNER + code, { ...style, parser: 'typescript' })] as const;
  });
  return Object.fromEntries(await Promise.all(formatted));
}

/** The generated files as they are on disk. */
export async function readGenerated(folder = generatedFolder): Promise<Outputs> {
  const names = await readdir(folder).catch(() => []);
  const files = names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(files));
}

/**
 * Replaces the generated files by `outputs` and returns the names of those that changed. All are written aside
 * first and then renamed, so that a reader never meets a half-written file.
 */
export async function writeGenerated(outputs: Outputs, folder = generatedFolder): Promise<string[]> {
  const present = await readGenerated(folder);
  const stale = Object.keys(present).filter((name) => !(name in outputs));
  const changed = Object.keys(outputs).filter((name) => present[name] !== outputs[name]);
  await mkdir(folder, { recursive: true });
  const aside = await Promise.all(
    changed.map(async (name) => {
      const temporary = path.join(path.dirname(folder), `.${name}.${process.pid}.tmp`);
      await writeFile(temporary, outputs[name] ?? '');
      return [temporary, path.join(folder, name)] as const;
    }),
  );
  for (const [temporary, target] of aside) await rename(temporary, target);
  for (const name of stale) await rm(path.join(folder, name));
  return [...changed, ...stale];
}
