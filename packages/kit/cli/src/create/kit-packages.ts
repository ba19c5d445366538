import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { VERSION } from '@contract-kit/core';
import { CommandError } from '../command.ts';

const NAMES = ['core', 'client', 'mcp', 'server', 'testing', 'cli'] as const;

/** The packed packages of the kit in a folder, in the order of `NAMES`; none without a folder. */
export async function kitPackages(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return [];
  const files = await readdir(folder).catch(() => []);
  return NAMES.map((name) => {
    const file = files.find((file) => file.startsWith(`contract-kit-${name}-`) && file.endsWith('.tgz'));
    if (file === undefined) throw new CommandError(`${folder} has no packed @contract-kit/${name}.`);
    return path.resolve(folder, file);
  });
}

const UPGRADE = `\`\`\`sh
npm install @contract-kit/{core,client,mcp,server}@latest && npm install --save-dev @contract-kit/{testing,cli}@latest
npm run generate && npm run check
\`\`\``;
const UPGRADE_VENDOR = `The packages are in the folder \`vendor\`. In a newer checkout of contract-kit, \`npm run create -- FOLDER --upgrade\` replaces those of the repository in FOLDER and generates the code. Then run \`npm run check\` here.`;

/** The values of templates: where npm finds each package of the kit, how to upgrade them, and the versions of its peers. */
export async function versionsOf(tarballs: readonly string[]): Promise<Record<string, string>> {
  const manifest = new URL('../../package.json', import.meta.url);
  const { dependencies, devDependencies } = JSON.parse(await readFile(manifest, 'utf8')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const known = { ...devDependencies, ...dependencies };
  const versions = NAMES.map((name, index) => {
    const tarball = tarballs[index];
    const version = tarball === undefined ? `^${VERSION}` : `file:vendor/${path.basename(tarball)}`;
    return [`${name}Version`, version];
  });
  return {
    ...(Object.fromEntries(versions) as Record<string, string>),
    upgrade: tarballs.length === 0 ? UPGRADE : UPGRADE_VENDOR,
    typescriptVersion: known['typescript'] ?? '',
    tsxVersion: known['tsx'] ?? '',
  };
}
