import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkContract, houseRules } from '../check/check-contract.ts';
import { completed } from '../complete.ts';
import { readService } from '../service.ts';
import { ContractError, readContract, type SourceDocument } from '../source-document.ts';
import { contractPage } from '../support/page.ts';
import {
  clientFolder,
  clientManifestFile,
  contractFile,
  contractPageFile,
  generatedFolder,
  root,
} from '../workspace.ts';
import { emitClient } from './client-sources.ts';
import { emit, type Outputs } from './emit.ts';

const BANNER = `// Generated from openapi.yaml by \`npm run generate\`. Edit openapi.yaml instead.\n\n`;

/** A file that is not as it would be generated, by its name from the root. Undefined stands for none. */
export interface Difference {
  readonly name: string;
  readonly present: string | undefined;
  readonly wanted: string | undefined;
}

/** Every file that openapi.yaml leads to, by its name from the root. Throws a ContractError where it leads nowhere. */
export async function generate(file = contractFile): Promise<Outputs> {
  const { names, rules } = await readService(houseRules);
  const contract = await readContract(file);
  const problems = checkContract(contract, rules);
  if (problems.length > 0) throw new ContractError(problems);
  const generated = (folder: string, sources: Outputs) =>
    Object.fromEntries(Object.entries(sources).map(([name, code]) => [`${folder}/${name}`, BANNER + code]));
  return {
    ...generated(generatedFolder, await emit(contract, names)),
    ...generated(clientFolder, emitClient(completed(contract), names)),
    [clientManifestFile]: await clientManifest(contract),
    [contractPageFile]: contractPage(await readFile(path.join(root, contractPageFile), 'utf8')),
  };
}

/** The package.json of the client with `contract`, the version of the contract that it speaks. */
async function clientManifest({ document }: SourceDocument): Promise<string> {
  const present = JSON.parse(await readFile(path.join(root, clientManifestFile), 'utf8')) as object;
  return `${JSON.stringify({ ...present, contract: document.info.version }, undefined, 2)}\n`;
}

/** Which files differ from `outputs` on disk, with those that were generated once and are not any more. */
export async function differences(outputs: Outputs): Promise<Difference[]> {
  const found = [generatedFolder, clientFolder].map(async (folder) => {
    const present = await readdir(path.join(root, folder)).catch(() => []);
    return present.map((name) => `${folder}/${name}`);
  });
  const names = new Set([...Object.keys(outputs), ...(await Promise.all(found)).flat()]);
  const files = [...names].map(async (name) => {
    const present = await readFile(path.join(root, name), 'utf8').catch(() => undefined);
    return { name, present, wanted: outputs[name] };
  });
  return (await Promise.all(files)).filter(({ present, wanted }) => present !== wanted);
}

/** Writes what is wanted of `differences`. */
export async function writeGenerated(differences: readonly Difference[]): Promise<void> {
  for (const folder of [generatedFolder, clientFolder])
    await mkdir(path.join(root, folder), { recursive: true });
  for (const { name, wanted } of differences) {
    const file = path.join(root, name);
    await (wanted === undefined ? rm(file) : writeFile(file, wanted));
  }
}
