import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MakeError } from '@contract-kit/core/errors';
import { guessedErrors } from '../error-body/error-body.ts';
import { houseRules, readSound } from '../rules/check-contract.ts';
import { completed, publishedValue } from '@contract-kit/core/openapi';
import { isFitting, VERSION } from '@contract-kit/core';
import { readService } from '../service.ts';
import { contractPage } from '../support/page.ts';
import {
  clientFolder,
  configurationPageFile,
  contractFile,
  contractPageFile,
  errorBodyFile,
  generatedFolder,
  releasedFolders,
  root,
  toolsPageFile,
} from '../workspace.ts';
import { configurationPage } from './configuration-page.ts';
import { emitClient } from './client-sources.ts';
import { emit, type Outputs } from './emit.ts';
import { importSource } from './import-source.ts';
import { serviceSettings } from './service-settings.ts';
import { renderTemplates } from './templates.ts';
import { templateValues } from '@contract-kit/server/internals';
import { packageVersion } from '../package-version.ts';
import { toolsPage } from './tools-page.ts';

/** Begins a generated source, with the version of the kit. */
const BANNER = `// Generated from openapi.yaml by \`npm run generate\` of contract-kit ${VERSION}. Edit openapi.yaml instead.\n\n`;

/** What `generate` writes: folders and files from the root, with their content. */
export const written: Readonly<Record<string, string>> = {
  'packages/contract/src/': 'the types, and the contract as a value',
  'packages/client/src/': 'the client',
  'packages/mcp/{bin,src}/': 'the command that serves the tools for agents',
  [toolsPageFile]: 'its table of tools; the rest is written by hand',
  'deploy/': 'the files for operators',
  'docs/{configuration,operating,scaling}.md': 'the pages for operators',
  [contractPageFile]: 'its lists; the rest is written by hand',
  [`{${releasedFolders.join()}}/package.json`]: 'the version of the contract',
  'package-lock.json': 'the version of the contract',
};

/** A file that differs from its generated text, by its name from the root. Undefined means no file. */
export interface Difference {
  readonly name: string;
  readonly present: string | undefined;
  readonly wanted: string | undefined;
}

/** Every generated file, by its name from the root. Throws a ContractError if the contract has problems. */
export async function generate(file = contractFile): Promise<Outputs> {
  const { names, rules } = await readService(houseRules);
  const contract = completed(await readSound(file, { rules }));
  const guessed = existsSync(path.join(root, errorBodyFile))
    ? undefined
    : guessedErrors(contract.model, names.name);
  const errorBody = guessed?.errorBody ?? (await serviceErrorBody());
  const settings = await serviceSettings();
  const generated = (folder: string, sources: Outputs) =>
    Object.fromEntries(Object.entries(sources).map(([name, code]) => [`${folder}/${name}`, BANNER + code]));
  return {
    ...generated(generatedFolder, await emit(contract, publishedValue(contract, names))),
    ...generated(clientFolder, emitClient(contract, names, errorBody)),
    ...(await renderTemplates('generated', templateValues(contract, names, errorBody, settings))),
    ...(await withVersion(packageVersion(String(contract.document.info.version)))),
    ...(guessed && { [errorBodyFile]: guessed.source }),
    [configurationPageFile]: configurationPage(settings),
    ...(await inPage(contractPageFile, contractPage)),
    ...(await inPage(toolsPageFile, (page) => toolsPage(page, contract))),
  };
}

/** A page with a generated part, if the repository has it. */
async function inPage(name: string, change: (page: string) => string): Promise<Outputs> {
  const file = path.join(root, name);
  return existsSync(file) ? { [name]: change(await readFile(file, 'utf8')) } : {};
}

async function serviceErrorBody(): Promise<MakeError | undefined> {
  const file = path.join(root, errorBodyFile);
  if (!existsSync(file)) return undefined;
  return (await importSource<{ errorBody: MakeError }>(file)).errorBody;
}

/** The package.json of each package with the contract's version, and the lock file if there is one. */
async function withVersion(version: string): Promise<Outputs> {
  const read = async (name: string) =>
    JSON.parse(await readFile(path.join(root, name), 'utf8')) as { packages?: Record<string, object> };
  const folders = releasedFolders.filter((folder) => existsSync(path.join(root, folder, 'package.json')));
  const written: Record<string, object> = {};
  for (const folder of folders)
    written[`${folder}/package.json`] = { ...(await read(`${folder}/package.json`)), version };
  if (existsSync(path.join(root, 'package-lock.json'))) {
    const lock = await read('package-lock.json');
    const locked = folders.map((folder) => [folder, { ...lock.packages?.[folder], version }]);
    written['package-lock.json'] = { ...lock, packages: { ...lock.packages, ...Object.fromEntries(locked) } };
  }
  return Object.fromEntries(
    Object.entries(written).map(([name, content]) => [name, `${JSON.stringify(content, undefined, 2)}\n`]),
  );
}

/** The files on disk that differ from `outputs`, including those no longer generated. */
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

/** The version of the kit that made the present files, if its code does not fit this one. */
export const misfitIn = (differences: readonly Difference[]): string | undefined =>
  differences
    .map(({ present = '' }) => / of contract-kit (\S+)\. Edit /.exec(present.split('\n', 1)[0] ?? '')?.[1])
    .find((version) => version !== undefined && !isFitting(version));

export async function writeGenerated(differences: readonly Difference[]): Promise<void> {
  for (const { name, wanted } of differences) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    const mode = wanted?.startsWith('#!') ? 0o755 : 0o644;
    await (wanted === undefined ? rm(file) : writeFile(file, wanted, { mode }));
  }
}
