import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseContract } from '../contract.ts';
import { contractPage } from '../support/page.ts';
import { clientManifestFile, contractFile, contractPageFile, root } from '../workspace.ts';

/** A generated file that stands among files written by hand. */
export interface FileBeside {
  /** From the root of the workspace. */
  readonly name: string;
  readonly present: string;
  readonly wanted: string;
}

export async function filesBeside(): Promise<FileBeside[]> {
  const page = await readFile(contractPageFile, 'utf8').catch(() => '');
  return [
    await clientManifest(contractFile),
    { name: path.relative(root, contractPageFile), present: page, wanted: contractPage() },
  ];
}

/**
 * The package.json of the client: `petstore.contract` is the contract's version, so that who installs the client can
 * tell which contract it speaks. The rest of the file is written by hand.
 */
export async function clientManifest(contractFile: string): Promise<FileBeside> {
  const { document } = parseContract(await readFile(contractFile, 'utf8'));
  const present = await readFile(clientManifestFile, 'utf8');
  const manifest = { ...(JSON.parse(present) as object), petstore: { contract: document.info?.version } };
  const wanted = `${JSON.stringify(manifest, undefined, 2)}\n`;
  return { name: path.relative(root, clientManifestFile), present, wanted };
}

/** Writes those that have changed, each aside first, as everything generated, and returns their names. */
export async function writeBeside(files: readonly FileBeside[]): Promise<string[]> {
  const changed = files.filter(({ present, wanted }) => present !== wanted);
  for (const { name, wanted } of changed) {
    const file = path.join(root, name);
    const temporary = `${file}.${process.pid}.tmp`;
    await writeFile(temporary, wanted);
    await rename(temporary, file);
  }
  return changed.map(({ name }) => name);
}
