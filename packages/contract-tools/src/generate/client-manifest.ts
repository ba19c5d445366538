import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseContract } from '../contract.ts';

import { clientManifestFile as manifestFile } from '../workspace.ts';

export const manifestName = 'packages/client/package.json';

export interface Manifest {
  readonly present: string;
  readonly wanted: string;
}

/**
 * The package.json of the client, as it is and as it must be: `petstore.contract` is the contract's version, so that
 * who installs the client can tell which contract it speaks. The rest of the file is written by hand.
 */
export async function clientManifest(contractFile: string): Promise<Manifest> {
  const { document } = parseContract(await readFile(contractFile, 'utf8'));
  const present = await readFile(manifestFile, 'utf8');
  const manifest = { ...(JSON.parse(present) as object), petstore: { contract: document.info?.version } };
  return { present, wanted: `${JSON.stringify(manifest, undefined, 2)}\n` };
}

/** Writes it aside first, as everything generated, and returns its name if it changed. */
export async function writeClientManifest({ present, wanted }: Manifest): Promise<string[]> {
  if (present === wanted) return [];
  const temporary = `${manifestFile}.${process.pid}.tmp`;
  await writeFile(temporary, wanted);
  await rename(temporary, manifestFile);
  return [manifestName];
}
